import type { ToolFamily } from '../types.js';

/** Shells: the text that they are given is judged. */
export const SHELLS = {
  effect: 'read_only',
  commands: {
    cmd: { check: 'cmd' },
    powershell: { check: 'powershell' },
    pwsh: { check: 'pwsh' },
  },
  examples: {
    read_only: [
      'cmd /c dir C:\\x',
      'cmd.exe /d /c "dir C:\\x | find "x""',
      'powershell -Command "Get-Service"',
      'powershell -NoProfile -ExecutionPolicy Bypass -c Get-Service -Name spooler',
      'powershell -EncodedCommand RwBlAHQALQBTAGUAcgB2AGkAYwBlAA==',
      'powershell "Get-Service | ft"',
      'powershell -NoProfile Get-Process -Name x',
      'pwsh -nop -c "Get-Process | Sort-Object CPU"',
    ],
    unknown: [
      'cmd',
      'cmd /k dir',
      'cmd /v:on /c dir',
      'cmd /c',
      'powershell',
      'powershell -File a.ps1',
      'powershell a.ps1',
      'powershell -NoProfile C:\\x.ps1',
      'pwsh Get-Service',
      'powershell -Command -',
      'powershell -e xxx',
      'powershell -NoExit -Command Get-Service',
      'pwsh a',
    ],
    mutating: [
      'cmd /c del C:\\x',
      'cmd /c "dir & del C:\\x"',
      'cmd /c cmd /c "cmd /c del x"',
      'powershell -Command "Remove-Item C:\\x"',
      'powershell -enc UgBlAG0AbwB2AGUALQBJAHQAZQBtACAAQwA6AFwAeAA=',
      'powershell /c Remove-Item x',
      'powershell Remove-Item x',
    ],
  },
} as const satisfies ToolFamily;
