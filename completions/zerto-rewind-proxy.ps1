# PowerShell completion for zerto-rewind-proxy
Register-ArgumentCompleter -Native -CommandName 'zerto-rewind-proxy' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    $program = $before[0]
    $words = @($before | Select-Object -Skip 1)
    $last = if ($wordToComplete) { "$wordToComplete" } else { '""' }
    $offered = @(& $program completion at '--' @words $last 2>$null)
    if ($offered.Count -gt 1 -and $offered[0] -eq 'words') {
        $offered | Select-Object -Skip 1 | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
        }
    }
}
