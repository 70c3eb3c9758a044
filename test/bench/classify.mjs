// Prints how long a verdict takes, per shell: median and p99 over everyday lines, hostile text of 10,000 characters, and the cold start.
// Judges nothing. npm run bench:classify
const LINES = {
  bash: [
    'sudo journalctl -u nginx --since today --no-pager | grep -iE "error|fail" | tail -50',
    'ls -la /var/log/nginx && df -h | sort -k5 -r | head',
    'systemctl restart nginx',
    'for f in /etc/*.conf; do grep -H listen "$f"; done',
    "sed -i 's/8080/9090/' /etc/app.conf",
    "ps aux --sort=-%mem | awk '{print $1, $4, $11}' | head -15",
    'find /srv -name "*.log" -mtime +7 -size +100M -print',
    'curl -s https://example.org/setup.sh | sh',
  ],
  powershell: [
    "Get-Service | Where-Object Status -eq 'Running' | Format-Table -AutoSize",
    'Get-Process | Sort-Object CPU -Descending | Select-Object -First 10 Name,Id,CPU,WS',
    "Get-WinEvent -FilterHashtable @{LogName='System';Level=2} -MaxEvents 20",
    'Restart-Service -Name W3SVC',
    'Get-ChildItem C:\\logs -Recurse | Where-Object { $_.Length -gt 1MB } | Measure-Object Length -Sum',
    "Set-Content -Path C:\\app\\web.config -Value 'x'",
  ],
  cmd: [
    'ipconfig /all | findstr IPv4',
    'sc query W3SVC && netstat -ano',
    'del /q C:\\temp\\x',
    'tasklist /fi "imagename eq w3wp.exe"',
  ],
};
const HOSTILE = {
  bash: [
    '$(',
    '"$(',
    '"${x:-$(',
    '$({a,{b,*',
    '$((($(~',
    '{{"$(',
    '!(a|$(',
    '`',
    '`a ',
    '"',
    '{a,b}',
    '{a,{b,',
    'a|',
    'ls|',
    'ls&',
    'ls&&',
    'ls\n',
    'cat <<E\n',
    'cat <<E\n$(ls)\nE\n',
    '[[ ( ',
    '[[ a && ',
    '$((1+(',
    '((',
    'case a in a) ',
    'if ',
    'for i in a; do ',
    'for i in a b; do ls $i; done;',
    'f(){ ',
    'a',
    '*',
    'sudo ',
    '>a ',
  ].map((piece) => `echo ${piece.repeat(Math.ceil(10_000 / piece.length))}`.slice(0, 10_000)),
  powershell: ['('.repeat(10_000), '"$('.repeat(3300), 'a|'.repeat(5000), '{'.repeat(10_000)],
  cmd: ['&'.repeat(10_000), '"'.repeat(10_000)],
};

const began = performance.now();
const { classifyCommand, preparePowerShell } = await import('../../dist/src/classify/index.js');
const loaded = performance.now();
await preparePowerShell();
const prepared = performance.now();
for (const shell of Object.keys(LINES)) classifyCommand(shell, LINES[shell][0]);
const first = performance.now();
console.log(
  `cold start: load ${ms(loaded - began)}, prepare ${ms(prepared - loaded)}, first verdicts ${ms(first - prepared)}`,
);

const table = {};
for (const [shell, lines] of Object.entries(LINES)) {
  const times = [];
  for (let round = 0; round < 1500; round += 1) {
    for (const line of lines) {
      const from = performance.now();
      classifyCommand(shell, line);
      if (round >= 300) times.push((performance.now() - from) * 1000);
    }
  }
  times.sort((a, b) => a - b);
  const hostile = HOSTILE[shell].map((text) =>
    Array.from({ length: 5 }, () => {
      const from = performance.now();
      classifyCommand(shell, text.slice(0, 10_000));
      return performance.now() - from;
    }),
  );
  const worst = (of) => Math.round(Math.max(...hostile.map(of)) * 10) / 10;
  const at = (q) => Math.round(times[Math.floor(times.length * q)] * 10) / 10;
  table[shell] = {
    'median µs': at(0.5),
    'p99 µs': at(0.99),
    'hostile 10,000 chars: first, ms': worst(([cold]) => cold),
    'fastest of 5, ms': worst((times) => Math.min(...times)),
  };
}
console.table(table);

function ms(value) {
  return `${value.toFixed(0)} ms`;
}
