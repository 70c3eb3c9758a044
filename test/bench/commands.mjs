// What an agent looks at on a host. `%` becomes a number that never comes again, so no call is like an earlier one.
const READS = [
  'ls -la /var/log/app%',
  'df -h /srv/data%',
  'systemctl status worker@%.service',
  'journalctl -u app% -n 100 --no-pager',
  "ps aux | grep 'app%' | sort -rk 3",
  'cat /etc/app/conf.d/%.conf',
  'tail -n 50 /var/log/app/%.log | grep -i error',
  'free -m && uptime && echo %',
  'ss -tlnp | grep :%',
  'find /var/www/site% -name "*.conf" -mtime -1',
  'docker inspect web-%',
  'docker logs --tail 50 web-%',
  'du -sh /var/lib/app/% 2>/dev/null',
  'sudo cat /var/spool/cron/user%',
  'stat /srv/releases/%',
  'kubectl get pods -n team-% -o wide',
];

/** The `index`th read-only command; with `bytes`, one that asks for so much output. */
export function readOnly(index, bytes) {
  const command = READS[index % READS.length].replace('%', String(index));
  return bytes === undefined ? command : `${command} | head -c ${bytes}`;
}
