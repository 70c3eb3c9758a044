# fish completion for zerto-rewind-proxy
function __zerto_rewind_proxy_offered
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l offered ($before[1] completion at -- $before[2..-1] "$current" 2>/dev/null)
    set -l option (string match -r -- '^--[^=]*=' "$current")
    set -l value (string replace -r -- '^--[^=]*=' '' "$current")
    switch "$offered[1]"
        case words
            string join \n -- $offered[2..-1]
        case file
            for each in (__fish_complete_path "$value")
                echo "$option$each"
            end
        case directory
            for each in (__fish_complete_directories "$value")
                echo "$option$each"
            end
        case command
            complete -C (string replace -r -- '^.*? -- +' '' (commandline -cp))
    end
end
complete -c zerto-rewind-proxy -f -a '(__zerto_rewind_proxy_offered)'
