/** What operators look at: services, logs, disks, volumes, network, packages, containers, clusters, databases, web servers, clouds. Each is read_only. `@{` stands for a brace after a dollar. */
export const DIAGNOSIS: readonly string[] = lines(String.raw`
systemctl list-unit-files --state=enabled --no-pager
systemctl --failed --no-legend
systemctl show -p ActiveState,SubState,MainPID sshd.service
systemctl list-dependencies --reverse network-online.target
systemctl get-default
systemd-analyze critical-chain multi-user.target
systemd-analyze blame | head -20
systemctl list-timers --all
systemctl cat docker.service | grep ExecStart
journalctl -p err -b --no-pager -o short-iso
journalctl --disk-usage
journalctl --list-boots
journalctl _PID=1 --since yesterday -n 200
journalctl -u kubelet -f --output cat
journalctl -xeu postgresql --no-pager | tail -n 40
journalctl -k --grep 'I/O error' --since "-1h"
loginctl list-sessions
loginctl show-user root
hostnamectl status
timedatectl show --property=NTPSynchronized --value
timedatectl timesync-status
localectl status
resolvectl status eth0
resolvectl query example.com
networkctl list
networkctl status eth0
busctl list --no-pager
coredumpctl list --since today
systemd-cgtop -b -n 1
systemd-cgls -u nginx.service
systemd-detect-virt
bootctl status
udevadm info --query=all --name=/dev/sda
udevadm info -a -p /sys/class/net/eth0
chronyc tracking
chronyc sources -v
chronyc -n sourcestats
ntpq -pn
lvs -a -o +devices,seg_monitor
vgs --units g -o vg_name,vg_size,vg_free
pvs -o+pv_used
lvdisplay /dev/vg0/root
vgdisplay -v vg0
pvdisplay -m
lvmdiskscan
dmsetup ls --tree
dmsetup status
dmsetup table vg0-root
multipath -ll
multipathd show paths
multipathd show maps status
multipathd -k'show config'
iscsiadm -m session -P 3
iscsiadm -m node
zpool status -v tank
zpool list -H -o name,size,alloc,free,cap
zpool iostat -v tank 1 2
zpool history tank | tail
zfs list -t snapshot -o name,used,creation -s creation
zfs get -r compressratio,mountpoint tank
zdb -C tank
btrfs filesystem usage /srv
btrfs subvolume list -t /srv
btrfs scrub status /srv
btrfs device stats /srv
xfs_info /srv
dumpe2fs -h /dev/sda1
tune2fs -l /dev/sda1
e2label /dev/sda1
debugfs -R 'stat <8>' /dev/sda1
blkid -o full -s UUID /dev/sda1
lsblk -o NAME,SIZE,TYPE,MOUNTPOINT,FSTYPE,UUID,ROTA
smartctl -H -A /dev/nvme0
nvme list -o json
nvme smart-log /dev/nvme0n1
mdadm --detail --scan
mdadm -E /dev/sdb1
cat /proc/mdstat
sfdisk -l /dev/sda
sfdisk -d /dev/sda
fdisk -l 2>/dev/null | grep Disk
parted -s /dev/sda unit MiB print free
sgdisk -p /dev/sda
gdisk -l /dev/sda
hdparm -I /dev/sda
lsscsi -g
swapon --show=NAME,SIZE,USED
showmount -e nfs01
nfsstat -m
rpcinfo -p nfs01
exportfs -v
mount -l -t ext4
findmnt -rno SOURCE,TARGET,FSTYPE
quota -u bob
repquota -a
fuser -vm /srv
ss -s
ss -tanp state established '( dport = :443 or sport = :443 )'
ss -lntup4
ss -tin dst 10.0.0.5
ip -s -h link show dev eth0
ip -br -c a
ip route get 8.8.8.8
ip rule list
ip neigh show nud reachable
ip -6 route show table all
ip netns list
ip netns exec blue ip addr
ip -j addr | jq -r '.[].ifname'
ip monitor all
bridge fdb show br br0
bridge vlan show
tc -s qdisc show dev eth0
ethtool -S eth0 | grep -i err
ethtool -i eth0
ethtool -k eth0
nmcli -t -f NAME,DEVICE con show --active
nmcli device status
nmcli -g ip4.address device show eth0
cat /proc/net/bonding/bond0
arp -an
netstat -rn
netstat -s | grep -i retrans
mtr -rwc 10 example.com
traceroute -n -T -p 443 example.com
tracepath -n 8.8.8.8
ping -M do -s 1472 -c 3 10.0.0.1
tcpdump -ni any -c 20 'port 53'
tcpdump -r /tmp/a.pcap -nn -A | head
tshark -r /tmp/a.pcap -Y http -T fields -e ip.src
nft -a list chain inet filter input
iptables -S
iptables -t nat -L POSTROUTING -nv --line-numbers
ip6tables-save -c
ipset list -n
firewall-cmd --list-all --zone=public
firewall-cmd --get-active-zones
ufw status numbered
conntrack -L -p tcp --dport 443
conntrack -S
fail2ban-client status sshd
getenforce
sestatus -v
semanage port -l
ausearch -m avc -ts recent
aureport --summary
auditctl -l
ls -Z /var/www
getsebool -a
dpkg -S /usr/bin/ssh
dpkg -L openssh-server
dpkg-query -W -f='@{Package} @{Version}\n' 'linux-image*'
dpkg --verify openssh-server
dpkg --audit
apt-cache policy nginx
apt-cache rdepends --installed libssl3
apt-mark showhold
apt list --upgradable 2>/dev/null
apt-get -s dist-upgrade
apt-config dump
debsums -s openssh-server
rpm -qf /etc/ssh/sshd_config
rpm -q --changelog bash | head
rpm -qa --queryformat '%{NAME} %{VERSION}\n' | sort
rpm -qi --scripts bash
dnf repolist -v
dnf history list
dnf history info 5
dnf list installed 'kernel*'
dnf provides /usr/bin/dig
dnf updateinfo list security
dnf check-update -q
yum list --showduplicates nginx
zypper lu
zypper --non-interactive se -s nginx
pacman -Qi bash
apk info -vv
snap list --all
flatpak list --app
needs-restarting -r
docker ps -a --filter status=exited --format '{{.Names}}'
docker inspect -f '{{.State.Health.Status}}' web
docker stats --no-stream
docker logs --since 10m --tail 100 web 2>&1 | grep -i error
docker top web
docker system df -v
docker network inspect bridge
docker volume ls -q
docker image history nginx:latest
docker events --since 1h --until 0s
docker compose ps
docker compose -f /srv/app/compose.yml logs --tail=50 web
docker-compose config --services
docker context ls
docker exec web env
docker exec db psql -U postgres -c 'select version()'
docker info --format '{{json .}}' | jq .Driver
podman ps -a --pod
podman pod ps
podman inspect web | jq '.[0].State'
crictl ps -a
crictl logs --tail 20 abc123
crictl inspectp abc
crictl images
ctr -n k8s.io containers ls
nerdctl ps
kubectl get nodes -o jsonpath='{.items[*].status.addresses[0].address}'
kubectl get events -A --sort-by=.lastTimestamp | tail -30
kubectl describe node worker-1 | grep -A5 Conditions
kubectl logs -n kube-system -l k8s-app=kube-dns --tail=50 --prefix
kubectl logs deploy/web -c app --previous
kubectl top pod -A --sort-by=memory --no-headers
kubectl get deploy web -o yaml | grep image:
kubectl rollout history deploy/web --revision=3
kubectl get pods --field-selector=status.phase!=Running -A
kubectl explain deployment.spec.strategy --recursive
kubectl auth can-i --list -n prod
kubectl cluster-info dump | head
kubectl exec -n prod web-0 -c app -- df -h /data
kubectl get pvc,pv -A
kubectl config get-contexts -o name
kubectl --context prod get svc
helm history web -n prod --max 5
helm get manifest web -n prod
helm status web --show-resources
helm search repo nginx --versions
psql -U postgres -d app -c '\dt+ public.*'
psql -lqt
psql -At -c "select pid, state, now() - query_start, left(query, 60) from pg_stat_activity where state <> 'idle' order by 3 desc limit 10"
psql -c "select pg_size_pretty(pg_database_size('app'))"
psql -c "select relname, n_dead_tup, last_autovacuum from pg_stat_user_tables order by n_dead_tup desc limit 10"
psql -c 'show shared_buffers'
psql -c "explain select * from t where id = 1"
psql -x -c "select * from pg_stat_replication"
pg_isready -h localhost -p 5432
pg_lsclusters
pg_controldata /var/lib/pgsql/data
mysql -uroot -e "show engine innodb status\G"
mysql -N -B -e "select table_schema, round(sum(data_length+index_length)/1024/1024) from information_schema.tables group by 1"
mysql -e "show global status like 'Threads_connected'; show variables like 'max_connections'"
mysql -e 'show replica status\G' | grep Seconds_Behind
mysqladmin -uroot extended-status
mysqladmin ping
redis-cli -h cache01 -p 6379 info replication
redis-cli --latency-history -i 1
redis-cli slowlog get 10
redis-cli config get maxmemory
redis-cli --bigkeys
redis-cli client list | wc -l
redis-cli dbsize
mongosh --quiet --eval 'db.serverStatus().connections'
mongosh --eval 'rs.status()'
sqlite3 -readonly /var/lib/app.db 'select count(*) from jobs where state = "failed"'
clickhouse-client -q 'select * from system.processes'
apachectl -S
apachectl -M
httpd -v
nginx -V 2>&1 | tr ' ' '\n'
haproxy -vv
haproxy -c -f /etc/haproxy/haproxy.cfg
varnishstat -1
php -v
node --version
pip list --outdated
npm ls -g --depth=0
gem list
git -C /etc log --since='2 days ago' --stat
git diff HEAD~1 --name-only
git show --stat HEAD
git blame -L 10,20 app.py
git remote -v
git branch -avv
git tag -l 'v*' --sort=-creatordate
git rev-parse --short HEAD
git stash list
git reflog -n 10
git ls-files -m
git config --get remote.origin.url
git describe --tags --always
git shortlog -sne
awk '$9 >= 500 {c[$7]++} END {for (u in c) print c[u], u}' /var/log/nginx/access.log | sort -rn | head
awk -F'"' '{print $6}' access.log | sort | uniq -c | sort -rn | head -10
awk '/Failed password/ {print $(NF-3)}' /var/log/auth.log | sort | uniq -c
awk 'length > 200' f
awk -v d="$(date +%d)" '$2 == d' /var/log/syslog
sed -n '/BEGIN/,/END/p' f
sed 's/^[ \t]*//;/^#/d;/^$/d' /etc/nginx/nginx.conf
sed -n '$=' f
jq -r '.items[] | select(.status == "failed") | [.id, .name] | @tsv' f.json
jq 'group_by(.host) | map({host: .[0].host, n: length})' f.json
jq -s 'add | length' a.json b.json
jq --arg h web1 '.[] | select(.host == $h)' f.json
yq '.services | keys' docker-compose.yml
yq eval '.image' values.yaml
xmllint --xpath '//server/@name' server.xml
ps -ef --forest
ps -o pid,lstart,etime,rss,args -p 1234
ps -L -p 1234 | wc -l
ps axo user,pid,pcpu,comm | sort -k3 -rn | head
pgrep -af java
pidof nginx
pstree -aps 1234
pmap -x 1234 | tail -1
top -b -n 1 -o %MEM | head -15
top -H -b -n1 -p 1234
vmstat -s
vmstat -SM 1 3
iostat -dxm 5 2
mpstat 1 1
sar -u 1 3
sar -n DEV -f /var/log/sa/sa10
sar -r -s 10:00:00 -e 12:00:00
pidstat -d 1 3
pidstat -u -r -p 1234 1 2
perf top
perf stat -p 1234 sleep 5
dstat -cdn 1 3
iotop -boPn 2
numastat -m
slabtop -o -s c
free -h -s 1 -c 3
lscpu -e
lsmem
lspci -nnk
lsusb -t
lsmod | grep nf_
modinfo ixgbe
dmidecode -t memory
ipmitool sdr list
ipmitool sel elist
sensors
cat /sys/block/sda/queue/scheduler
cat /proc/1234/limits
ls -l /proc/1234/fd | wc -l
readlink /proc/1234/exe
tr '\0' '\n' < /proc/1234/environ
lsof -p 1234 | awk '{print $5}' | sort | uniq -c
lsof +L1
lsof -i TCP:8080 -sTCP:LISTEN -t
jstat -gcutil 1234 1000 3
openssl s_client -connect h:443 -servername h -showcerts </dev/null 2>/dev/null | openssl x509 -noout -subject -issuer -dates
openssl x509 -in cert.pem -text -noout
openssl verify -CAfile ca.pem cert.pem
openssl rsa -in key.pem -check -noout
openssl crl -in c.crl -noout -text
openssl ciphers -v 'HIGH'
openssl req -in a.csr -noout -text
openssl dgst -sha256 f
curl -sI https://example.com
curl -s -o /dev/null -w '%{http_code}\n' --connect-timeout 3 http://localhost/health
curl -vk --resolve h:443:10.0.0.1 https://h/ 2>&1 | head
curl -s -H 'Accept: application/json' http://localhost:9200/_cluster/health?pretty
curl -s http://localhost:9090/api/v1/query?query=up
wget -qO- http://localhost/status
wget --spider -S http://h/
dig @8.8.8.8 example.com MX +noall +answer
dig -x 10.0.0.1 +short
dig +trace example.com
nslookup -type=txt example.com
host -t ns example.com
whois example.com
nc -vz -w3 db01 5432
getent hosts db01
getent group sudo
id bob
groups bob
lastb -n 10
lastlog -u bob
last reboot | head -3
passwd -S bob
chage -l bob
faillock --user bob
sudo -l -U bob
crontab -u bob -l
atq
ls -la /etc/cron.d /var/spool/cron
postqueue -p
mailq | tail -1
postconf -n
doveconf -n
dmesg -T --level=err,warn
dmesg --since '1 hour ago'
uptime -s
who -b
cat /etc/os-release /etc/redhat-release 2>/dev/null
uname -a; lsb_release -a 2>/dev/null
sysctl -a 2>/dev/null | grep tcp_mem
sysctl net.core.somaxconn vm.swappiness
ulimit -n -u
terraform version
ansible --version
aws sts get-caller-identity
aws ec2 describe-instances --filters Name=tag:env,Values=prod --query 'Reservations[].Instances[].InstanceId' --output text
aws s3 ls s3://bucket/path/ --recursive --human-readable
aws logs tail /aws/lambda/x --since 1h
az vm list -o table
az account show
gcloud compute instances list --format=json
gcloud config list
virsh dominfo web1
virsh domblklist web1
virsh snapshot-list web1
pvesm status
qm list
pct list
pcs status
crm_mon -1
corosync-cfgtool -s
drbdadm status
gluster volume status
gluster peer status
ceph -s
ceph osd tree
ceph health detail
ceph df
rabbitmqctl list_queues name messages consumers
rabbitmqctl cluster_status
kafka-topics.sh --bootstrap-server localhost:9092 --list
kafka-consumer-groups.sh --bootstrap-server localhost:9092 --describe --group g
consul members
vault status
nomad node status
etcdctl endpoint health --cluster
supervisorctl status
pm2 list
monit summary
for s in nginx redis postgresql; do echo "$s: $(systemctl is-active $s)"; done
for d in /sys/block/sd*; do echo "$(basename "$d") $(cat "$d/queue/rotational")"; done
for p in $(pgrep java); do echo "$p $(ls /proc/$p/fd | wc -l)"; done
find /var/log -name '*.gz' -mtime +30 -printf '%s %p\n' | sort -rn | head
find / -xdev -type f -size +500M -exec ls -lh {} + 2>/dev/null | awk '{print $5, $9}'
find /etc -newer /etc/hostname -type f 2>/dev/null
find /tmp -maxdepth 1 -user bob | wc -l
find /srv -type f -name '*.log' -exec grep -l ERROR {} \;
grep -rn 'listen' /etc/nginx/ --include='*.conf'
zgrep -h error /var/log/syslog.*.gz | tail -5
zcat /var/log/nginx/access.log.*.gz | awk '{print $1}' | sort | uniq -c | sort -nr | head
tail -n 500 /var/log/messages | grep -v DHCP
stat -f /srv
du -xh --max-depth=1 / 2>/dev/null | sort -h | tail
df -i | awk 'NR>1 && $5+0 > 80'
tar -tzf backup.tar.gz | head
unzip -l app.war
md5sum /etc/passwd /etc/group
diff -r /etc/nginx /etc/nginx.bak
comm -13 <(sort a) <(sort b)
test -s /var/run/nginx.pid && ps -p "$(cat /var/run/nginx.pid)" -o pid,etime
if ! pgrep -x sshd >/dev/null; then echo "sshd down"; fi
timeout 10 bash -c 'cat < /dev/tcp/db01/5432' && echo open
echo "load: $(cut -d' ' -f1 /proc/loadavg) / $(nproc)"
[ "$(id -u)" -eq 0 ] && echo root || echo "not root"
printf '%s\t%s\n' "$(hostname)" "$(uptime -p)"
date -d @1700000000 -u
cal -3
sudo -u postgres psql -c 'select * from pg_locks where not granted'
sudo sh -c 'ls -la /root; cat /etc/sudoers.d/*'
env | grep -i proxy
watch -n 5 'df -h'
ssh web1 'df -h && free -m'
nsenter -t 1234 -n ss -tln
systemctl show nginx --property=MemoryCurrent,TasksCurrent
systemctl list-sockets --no-pager
systemctl list-jobs
systemctl is-enabled docker kubelet
systemctl status 'nginx*' --lines=0
journalctl -u nginx -u php-fpm --since "2026-11-29 10:00" --until "2026-11-29 11:00" -q
journalctl -o json -n 5 | jq -r .MESSAGE
journalctl --user -n 20
journalctl -t sudo -r | head
journalctl --field=_SYSTEMD_UNIT
systemd-analyze security nginx.service
systemd-delta --type=overridden
systemd-path
machinectl list
oomctl
lsblk --json | jq '.blockdevices[].name'
findmnt --verify
mount | column -t
cat /etc/fstab | grep -v '^#'
cat /proc/meminfo | egrep 'Dirty|Writeback'
lvs --reportformat json
vgs -o vg_name,lv_name,devices --noheadings
zfs list -o space -r tank
zpool get all tank
btrfs qgroup show /srv
nvme id-ctrl /dev/nvme0
smartctl --scan
smartctl -x -d megaraid,0 /dev/sda
ip -o -4 addr show | awk '{print $2, $4}'
ip -d link show type vxlan
ip route show table main
ip tunnel show
ss -ltnp 'sport = :22'
ss -xap | grep docker
ss -uanp
ethtool eth0
ethtool -g eth0
ethtool -m eth0
bridge link
iw dev
wg show
arping -c 2 -I eth0 10.0.0.1
curl -so /dev/null -w "%{time_connect} %{time_starttransfer}\n" https://example.com
curl --head --location https://example.com
curl -s 'http://localhost:9200/_cat/indices?v'
curl -X GET http://localhost:8500/v1/agent/members
openssl s_client -starttls smtp -connect mail:25 -brief </dev/null
openssl x509 -checkend 86400 -noout -in /etc/ssl/certs/site.pem
openssl pkey -in key.pem -pubout
openssl version -a
ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub
ssh-keygen -F host1
sshd -T
sshd -t
getcap -r /usr/bin 2>/dev/null
last -xF | head
w -hs
who -aH
loginctl user-status bob
iptables -L INPUT -n -v --line-numbers
iptables-save | grep 8080
nft -j list tables
firewall-cmd --list-ports
ufw show raw
aa-status
apt-cache madison nginx
apt-cache depends nginx
apt show nginx
dpkg-query -l 'nginx*'
dpkg -c pkg.deb
dpkg -I pkg.deb
apt-get --just-print install nginx
rpm -q --whatprovides /bin/sh
rpm -ql bash | head
dnf list --upgrades
dnf module list
dnf -q repoquery --installed --qf '%{name}'
yum history
docker ps -q --no-trunc
docker port web
docker diff web
docker image ls --digests
docker buildx ls
docker logs -f --tail 20 web
docker inspect web --format '{{ .NetworkSettings.IPAddress }}'
docker exec -u root web ps aux
docker exec web sh -c 'nginx -v 2>&1; cat /etc/nginx/nginx.conf'
docker stack ls
docker service ps web --no-trunc
docker node ls
docker manifest inspect nginx
podman system info
podman logs --since 5m web
crictl pods --name web
crictl stats
crictl info
kubectl get all -n prod
kubectl get po -l app=web -o custom-columns=N:.metadata.name,S:.status.phase
kubectl get cm app -o jsonpath='{.data.config\.yaml}'
kubectl describe pod web-0 -n prod | sed -n '/Events/,$p'
kubectl get --watch=false pods
kubectl logs web-0 --all-containers --since=1h --timestamps
kubectl top node
kubectl get crd
kubectl api-versions
kubectl version -o yaml
kubectl get nodes --show-labels
kubectl get ingress -A -o json | jq -r '.items[].spec.rules[].host'
kubectl get events --field-selector type=Warning -w
kubectl config current-context
kubectl exec deploy/db -- psql -U app -c 'select 1'
kubectl exec -it web-0 -- env
helm ls -A --failed
helm get hooks web
helm show values bitnami/nginx
psql -h db01 -U app -c "select datname, numbackends, xact_commit from pg_stat_database"
psql -c "select * from pg_stat_activity where wait_event_type = 'Lock'"
psql -c "select indexrelname, idx_scan from pg_stat_user_indexes where idx_scan = 0"
psql -Atqc "select current_setting('data_directory')"
psql -c '\l+'
psql -c '\du'
psql -c "show all"
psql --csv -c "select count(*) from orders where created_at > now() - interval '1 hour'"
psql -c "select blocked.pid, blocking.pid from pg_locks blocked join pg_locks blocking on blocked.locktype = blocking.locktype limit 5"
mysql -e "show processlist"
mysql -e "select * from performance_schema.events_statements_summary_by_digest order by sum_timer_wait desc limit 5"
mysql -e "show create table app.users\G"
mysql -e "explain select * from users where id=1"
mysql -e "select count(*), max(id) from app.users where created > date_sub(now(), interval 1 day)"
mysql --table -e "show binary logs"
redis-cli -n 1 ttl key
redis-cli --scan --pattern 'user:*' | head
redis-cli -a pw --no-auth-warning info stats
redis-cli memory usage key
redis-cli cluster nodes
redis-cli get foo
redis-cli lrange q 0 10
sqlite3 -readonly app.db .schema
rabbitmqctl status
rabbitmqctl list_users
rabbitmq-diagnostics check_running
git log --graph --oneline --all -20
git diff --stat origin/main...HEAD
git show HEAD:src/app.py
git grep -n TODO -- '*.py'
git branch --contains abc123
git log -p -S secret -- config.yml
git cat-file -p HEAD
git config -l --show-origin
git worktree list
git submodule status
git for-each-ref --sort=-committerdate refs/heads --format='%(refname:short)'
git check-ignore -v build
awk '{a[$1]+=$10} END {for (i in a) print i, a[i]}' access.log | sort -k2 -nr | head
awk 'BEGIN {FS=":"} $7 !~ /nologin/ {print $1}' /etc/passwd
awk 'NR==FNR {a[$1]; next} $1 in a' f g
awk '{printf "%-20s %5.1f%%\n", $1, $2*100/$3}' f
sed -n '100,120p;120q' /var/log/syslog
sed -e 's/\x1b\[[0-9;]*m//g' f
sed 's/password=.*/password=xxx/' app.conf
jq '.[] | {name, cpu: .usage.cpu}' f
jq -c 'to_entries[] | select(.value > 5)' f
jq -r 'keys | join(",")' f
cut -d' ' -f1 access.log | sort | uniq -c | sort -rn | head -20
grep -oP '(?<=user=)\w+' auth.log | sort -u
grep -Ec 'ERROR|FATAL' /var/log/app/*.log
grep -A3 -B3 -m5 'OutOfMemory' app.log
zgrep -c 404 access.log.1.gz
tail -F /var/log/app.log
head -c 512 /dev/sda | xxd
od -A x -t x1z -N 64 f
hexdump -C -n 128 /dev/sda
strings -n 8 core | head
ps -eo pid,stat,wchan:32,cmd | awk '$2 ~ /^D/'
ps -p 1 -o comm=
ps -u www-data --no-headers | wc -l
pgrep -u postgres -l
top -bc -n1 -u www-data
vmstat -d
vmstat -w 1 5
iostat -p sda -m
sar -q
sar -d -p 1 2
sar -B 1 2
mpstat -I SUM
pidstat -t -p 99 1 1
numactl --hardware
lscpu | grep -i numa
cat /sys/kernel/mm/transparent_hugepage/enabled
cat /proc/sys/fs/file-nr
cat /proc/pressure/io
ls -l /proc/$(pgrep -o nginx)/cwd
lsof -u bob -a -i
lsof /var/log/syslog
fuser -n tcp 80
apache2ctl -V
apachectl -D DUMP_VHOSTS
named-checkconf
named-checkzone example.com /etc/bind/db.example
postfix status
aws ec2 describe-volumes --volume-ids vol-1
aws cloudwatch get-metric-statistics --namespace AWS/EC2 --metric-name CPUUtilization
aws s3api list-buckets
aws ssm list-commands
aws iam list-users --output table
az group list
az aks show -g rg -n k8s
az monitor activity-log list --max-events 5
gcloud container clusters list
gcloud compute instances describe web1 --zone us-a
terraform workspace show
ansible-doc -l
ansible web -m ping
cloud-init status --long
cloud-init query userdata
vmware-toolbox-cmd stat speed
vmstat 2 2 | tail -1
pmap -XX 1
cat /etc/resolv.conf; resolvectl dns
for i in $(seq 1 5); do cat /proc/loadavg; sleep 1; done
for ns in $(kubectl get ns -o name); do echo "$ns"; kubectl get pods -n "@{ns#namespace/}" --no-headers | wc -l; done
for c in $(docker ps -q); do docker inspect -f '{{.Name}} {{.State.Pid}}' "$c"; done
find /var/lib/docker -maxdepth 2 -type d -exec du -sh {} \;
find / -name core -type f -size +1M 2>/dev/null -print0 | xargs -0 ls -la
ls -t /var/log/*.log | head -1 | xargs tail -n 20
df -h --output=target,pcent | tail -n +2 | sort -k2 -rn | head -3
if [ -f /var/run/reboot-required ]; then cat /var/run/reboot-required.pkgs; else echo none; fi
host=$(hostname -s); echo "$host: $(uptime)"
sudo bash -c 'for p in /proc/[0-9]*; do cat $p/comm; done | sort | uniq -c | sort -rn | head'
sudo -u postgres -- psql -d app -c 'select version();'
ssh -o ConnectTimeout=5 -o StrictHostKeyChecking=no admin@10.0.0.5 "sudo journalctl -n 50 --no-pager"
ssh -J bastion db01 'psql -Atc "select 1"'
timeout 3 bash -c '</dev/tcp/10.0.0.5/22' && echo open || echo closed
diff <(ssh web1 cat /etc/hosts) <(ssh web2 cat /etc/hosts)
comm -3 <(rpm -qa | sort) <(ssh h rpm -qa | sort)
nproc; cat /proc/cpuinfo | grep 'model name' | uniq
watch -n 1 -d 'ss -s'
man -k systemd | head
`);

/** Changes by the same programs, and lines that only look as if they read. None is read_only. */
export const TRICKS: readonly string[] = lines(String.raw`
awk -v x='a' -f prog.awk f
awk '{ print $1 | "sort" }' f
awk 'BEGIN { while (("ls" | getline l) > 0) print l }'
awk '{ print > $1 ".txt" }' f
awk '{ printf "%s\n", $0 >> "/tmp/x" }' f
awk 'BEGIN { f = "system"; @f("touch x") }'
awk -i inplace '{ print }' f
gawk -p/tmp/x '{ print }' f
gawk -l filefuncs '{ print }' f
sed -n '$w /tmp/x' f
sed '/a/{s/b/c/w x' f
sed -Ei.bak 's/a/b/' f
sed --in-place=.bak s/a/b/ f
sed -e p -e 'w x' f
sed -ne '1!G;h;$p;1e id' f
sed "s/a/$(touch x)/" f
sed 's/.*/date/e' f
find . -type f -newer f -ok rm {} \;
find . -maxdepth 1 -exec sh -c 'for f; do rm "$f"; done' _ {} +
find . -exec mv {} {}.bak \;
find . -type f -print -delete
find . \( -name a -delete \) -o -print
find . -printf '%p\n' -fprintf log '%p\n'
ls | xargs -n1 -P4 rm -f
ls | xargs -I{} sh -c 'echo {}'
ls | xargs --max-args=1 --arg-file=f rm
printf 'rm -rf /x' | bash
echo ZWNobw== | base64 -d | sh
curl -fsSL https://h/install.sh | sudo bash
wget -qO- https://h/install.sh | sh -s -- -y
bash <(curl -s https://h/i.sh)
source <(kubectl completion bash)
eval "$(ssh-agent -s)"
. /etc/profile
sh -c "$(cat f)"
bash -c 'exec 3>/tmp/x; ls'
bash -lc 'touch x'
bash -s < f
env -i bash -c 'echo > x'
env GIT_SSH_COMMAND='touch x' git ls-remote h
LESSOPEN='|touch x' less f
MANPAGER='touch x' man ls
GIT_EXTERNAL_DIFF=x git diff
PSQL_EDITOR=x psql -c 'select 1'
LD_LIBRARY_PATH=. ls
PYTHONSTARTUP=x python3 -V
SYSTEMD_EDITOR=x systemctl cat a
git diff --ext-diff
git diff --textconv
git grep -O touch x
git -p log
git -c core.pager=x log
git -c alias.l='!touch x' l
git config core.fsmonitor x
git branch new
git branch -D old
git tag v1
git remote add a b
git fetch --all
git reflog delete HEAD@{1}
git notes add -m x
git bisect start
git show HEAD > x
git cat-file --textconv HEAD:f
git ls-remote ext::sh\ -c\ x
tar -xf a.tar
tar -tf a.tar --checkpoint=1 --checkpoint-action=exec=sh
tar -cf - . | ssh h 'tar -xf -'
tar --to-command=sh -xf a
sort --output=x f
sort -T /tmp -ox f
sort --files0-from=f -o x
uniq -c f out
tee -a x < f
dd if=f of=f conv=notrunc
date -s '2026-01-01'
date 0101000026
date --set=now
hostname web2
hostnamectl set-hostname web2
timedatectl set-timezone UTC
localectl set-locale LANG=C
loginctl terminate-session 1
journalctl --vacuum-size=1G
journalctl --rotate --vacuum-time=1s
sysctl -w vm.swappiness=1
sysctl -q net.ipv4.ip_forward=1
ip link set eth0 down
ip a add 10.0.0.9/24 dev eth0
ip netns exec x rm f
ip -b f
ip -force -batch f
ss -K dst 10.0.0.5
ss -D x
tcpdump -G 1 -z touch -w x
tcpdump -i any -W 1 -C 1 -w x
tshark -w x
nft add rule inet f c drop
iptables -A INPUT -j DROP
iptables -nL -Z
iptables-save -f x
ipset flush
conntrack -F
nmcli con up eth0
nmcli device disconnect eth0
ethtool -K eth0 gro off
ethtool -s eth0 speed 100
tc qdisc add dev eth0 root netem delay 1ms
bridge fdb add x dev y
lvs; vgchange -an vg0
lvchange -ay vg0/x
dmsetup remove x
dmsetup suspend x
multipath -F
multipathd reconfigure
iscsiadm -m node --login
zfs snapshot tank@a
zfs rollback tank@a
zpool import tank
zpool clear tank
btrfs balance start /
btrfs scrub start /
mdadm --manage /dev/md0 --fail /dev/sdb
xfs_repair /dev/sda1
fsck -y /dev/sda1
tune2fs -c 0 /dev/sda1
blkid -c x
swapoff -a
mount -o remount,ro /
smartctl -t short /dev/sda
hdparm -W0 /dev/sda
nvme format /dev/nvme0
sgdisk --zap-all /dev/sda
parted -s /dev/sda mklabel gpt
apt-get -y autoremove
apt-mark auto x
apt-key add x
dpkg-reconfigure x
rpm -q x --pipe 'touch x'
dnf -y update
dnf config-manager --set-enabled x
yum-config-manager --add-repo x
zypper in x
pacman -Syu
snap refresh
pip list --log x
npm ci
gem install x
docker exec web rm /x
docker exec -d web ls
docker exec -e LD_PRELOAD=x web ls
docker compose exec web touch x
docker compose up -d
docker cp web:/a b
docker system prune -f
docker image prune
docker container prune
docker run --rm alpine ls
docker build .
docker tag a b
docker network create x
docker volume rm x
docker stop $(docker ps -q)
docker ps -q | xargs docker rm -f
docker save -o x img
docker context use x
docker logs web > x
podman generate systemd --files web
crictl rmi x
crictl stop x
crictl exec x touch y
ctr images pull x
kubectl get pods -o yaml > x
kubectl get pods | kubectl delete -f -
kubectl exec web -- sh -c 'echo > x'
kubectl exec web -- tee x
kubectl cp web:/a b
kubectl debug node/x -it --image=busybox
kubectl run x --image=y
kubectl label node x a=b
kubectl cluster-info dump --output-directory=x
kubectl config set-context --current --namespace=x
kubectl rollout undo deploy/web
kubectl auth reconcile -f x
helm repo add a b
helm pull x
helm template x
helm get values x --post-renderer y
psql -c 'vacuum full'
psql -c 'select pg_reload_conf()'
psql -c 'select pg_switch_wal()'
psql -c 'select setval(1,2)'
psql -c 'select nextval(1)'
psql -c 'select dblink_exec(1,2)'
psql -c 'create temp table x as select 1'
psql -c 'select 1 into x'
psql -c 'explain analyze delete from t'
psql -c '\copy t to x'
psql -c '\o x' -c 'select 1'
psql -c 'select 1' -o x
psql -c '\gexec'
psql -c 'select 1 \g x'
psql -c 'select 1 \watch'
psql -c 'do $$ begin end $$'
psql -c 'refresh materialized view x'
psql -c 'alter system set a = 1'
psql -c 'lock table t'
mysql -e 'flush logs'
mysql -e 'optimize table t'
mysql -e 'reset master'
mysql -e 'select sleep(1) into @a'
mysql -e 'select load_file(1) into dumpfile 2'
mysql -e 'handler t open'
mysql -e 'call p()'
mysql -e 'tee x'
mysql -e 'select 1 /*!50000 into outfile 1 */'
mysqladmin flush-logs
mysqldump app > x
redis-cli bgsave
redis-cli client kill x
redis-cli config rewrite
redis-cli debug sleep 1
redis-cli --bigkeys flushall
redis-cli getset a b
redis-cli slowlog reset
redis-cli --rdb x
mongosh --eval 'db.t.drop()'
mongosh --eval 'db.shutdownServer()'
mongosh --eval 'db.t.countDocuments(); db.t.drop()'
mongosh x.js
sqlite3 -readonly f '.output x'
sqlite3 -readonly f ".once |touch x"
sqlite3 -readonly f "attach 'x' as y; create table y.z(a)"
clickhouse-client -q 'drop table x'
apachectl graceful
haproxy -f x
openssl genrsa 2048 -out x
openssl s_client -connect h:1 -keylogfile x
curl -o x http://h
curl -sS -XDELETE http://h/x
curl -X "PO""ST" http://h
curl -d @f http://h
curl -w '%output{x}a' http://h
curl --trace x http://h
curl -c x http://h
curl -K f
wget http://h/f
wget -O x http://h
wget --post-data=a http://h -O-
wget --use-askpass=x http://h
dig -f f > x
ssh -o PermitLocalCommand=yes -o LocalCommand='touch x' h ls
ssh -E x h ls
ssh h 'cat > x'
ssh h tee x
ssh -f h ls
scp a h:b
rsync -a a h:b
rsync --list-only -e 'touch x' h:
ssh-keygen -f x
ssh-keyscan h >> ~/.ssh/known_hosts
ps aux | awk '{print $2}' | xargs kill
pkill -HUP nginx
killall -9 java
renice 5 1
fuser -k /srv
strace -o x ls
perf record -a
perf trace ls
crontab f
echo 'touch x' | at now
systemctl set-property nginx CPUQuota=5%
systemctl isolate rescue
systemctl --now enable x
systemctl -H h restart x
systemd-analyze set-log-level debug
systemd-run ls
udevadm control --reload
update-alternatives --set a b
visudo
passwd bob
chage -d 0 bob
faillock --reset
setfacl -m u:bob:r f
chattr +i f
setenforce 0
semanage port -a x
auditctl -D
restorecon f
terraform state rm x
terraform plan -out x
terraform workspace new x
ansible all -m shell -a 'touch x'
ansible-playbook x.yml
ansible all -m copy -a 'src=a dest=b'
ansible-inventory --list --output x
aws ec2 stop-instances --instance-ids i
aws s3 cp a s3://b
aws lambda invoke x
aws ssm send-command x
az vm stop -n x
az vm run-command invoke -n x
gcloud compute instances delete x
gcloud compute ssh x
yq -i '.a = 1' f
jq . f > f
jq . f | sponge f
for f in *; do mv "$f" x; done
while :; do touch x; done
if ls; then :; else touch x; fi
until touch x; do :; done
case $x in a) touch x ;; esac
ls() { touch x; }; ls
trap 'touch x' 0
exec > x
exec 3<> x; echo a >&3
ls 2>&1 >x
ls >&2 2>x
ls {a,b} >x{a,b}
echo a > /dev/tcp/h/1
echo c > /proc/sysrq-trigger
echo 1 | sudo tee /proc/sys/net/ipv4/ip_forward
: > f
> f
{ ls; } >> x
( ls ) 2> x
ls | cat > x
time ls > x
! ls > x
a=$(touch x) ls
declare -x PATH=.
export PATH=.
printf -v PATH .
read PATH <<< .
mapfile -t -C 'touch x' a < f
set -o history
shopt -s expand_aliases
unalias -a
hash -r
cd /; rm x
pushd /tmp; touch x
sudo tee x < f
sudo -u bob touch x
sudo -- sh -c 'ls > x'
sudo !!
su - bob -c 'touch x'
nohup sh -c 'touch x' &
timeout 5 sh -c 'touch x'
watch 'touch x'
flock x ls
script -c ls x
nice -n 5 dd of=x
stdbuf -o0 tee x
unshare -r touch x
nsenter -t 1 -a touch x
parallel rm ::: a
tmux new -d 'touch x'
screen -dm touch x
busybox rm x
`);

function lines(text: string): readonly string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('@{', '$'.concat('{')));
}
