/** Commands that change something, run code that nobody sees, or may do so: none is ever read_only. `@{` stands for a brace after a dollar. */
export const NEVER_READ_ONLY: readonly string[] = String.raw`
ls $(touch x)
ls "$(touch x)"
ls @{a:-$(touch x)}
ls @{a#$(touch x)}
echo @{a^$(touch x)}
echo @{a/$(touch x)/b}
echo @{a:$(touch x):1}
echo @{a[$(touch x)]}
echo $((a[$(touch x)]))
echo $[a[$(touch x)]]
echo $[2>1]
ls &
tail -f x & ls
ls(x
cat <(ls)x
((2>1))
docker exec c env PAGER=x git log
for path in a b; do ls; done
for h in a b; do h=-x; sort $h; done
for h in -o x; do sort $h; done
for h in a b; do sort -k1 $h$x; done
cpupower monitor touch x
service ../../bin/sh status
mysqladmin status shutdown
ip -all netns exec touch ls
kubectl exec p ls -- touch x
watch -q ls 'rm x'
tar -tf a -T list
whois -h h -p 6379 FLUSHALL
smartctl -l scterc,70,70 /dev/sda
postconf a=b
svn frob
(( a[$(touch x)] ))
[[ $(touch x) ]]
[[ a -eq 'b[$(touch x)]' ]]
[[ -v 'b[$(touch x)]' ]]
for i in $(touch x); do :; done
for i in a b; do touch $i; done
select i in a; do touch x; done
case $(touch x) in a) ;; esac
case a in $(touch x)) ;; esac
case a in a) touch x;; esac
while touch x; do break; done
until touch x; do break; done
if touch x; then :; fi
if true; then touch x; fi
if false; then :; elif touch x; then :; fi
if false; then :; else touch x; fi
{ touch x; }
(touch x)
! touch x
time touch x
ls | touch x
ls |& touch x
ls && touch x
ls || touch x
ls & touch x
touch x &
coproc touch x
f() { touch x; }; f
function f { touch x; }; f
a=$(touch x)
a=($(touch x))
a[$(touch x)]=1
a=1 touch x
cat <<< "$(touch x)"
cat < <(touch x)
cat <(touch x)
ls > >(touch x)
ls >x
ls >>x
ls &>x
ls >&x
ls >|x
ls 2>x
ls <>x
exec 3>x
ls 3>x
ls {fd}>x
: >x
>x
echo a >/dev/sda
echo a >/dev/null/../x
echo a > /dev/null > x
eval "touch x"
. ./x
source x
trap 'touch x' EXIT
alias ls=touch
export X=1
declare X=1
PATH=. ls
path=. ls
path=.; ls
LD_PRELOAD=x ls
IFS=/ ls
IFS=/; ls
BASH_ENV=x bash -c ls
xargs touch
ls | xargs -I{} touch {}
ls | xargs -I ls ls
find . -exec touch {} \;
find . -exec sh -c 'touch $1' _ {} \;
find . -execdir touch {} +
find . -name a -o -delete
find . -fprint x
find -fprint x
find -D tree -delete
find . -files0-from x
find . -regextype posix-extended -delete
sh -c 'touch x'
bash -c "touch x"
bash -c 'ls' -c 'x'; touch y
bash -xc 'touch x'
bash -c -- 'touch x'
bash --rcfile x -c ls
bash --init-file x -ic ls
bash -o posix -c 'touch x'
env touch x
env -u A touch x
env A=1 B=2 touch x
env -S 'touch x'
env -C / touch x
env --split-string='touch x'
sudo touch x
sudo -u root touch x
sudo -uroot touch x
sudo -nu root -- touch x
sudo -s touch x
nice touch x
nice -n 5 touch x
nice -5 touch x
ionice -c3 touch x
timeout 5 touch x
timeout -s KILL 5 touch x
timeout --signal=KILL 5 touch x
stdbuf -oL touch x
nohup touch x
setsid touch x
command touch x
command -p touch x
builtin eval 'touch x'
exec touch x
ssh h touch x
ssh h 'touch x'
ssh -p 22 h "ls; touch x"
ssh h -t touch x
ssh h -oProxyCommand='touch x' ls
ssh -oProxyCommand='touch x' h ls
ssh -o 'Match exec "touch x"' h ls
ssh h -- touch x
ssh "$h" ls
watch touch x
watch -n1 'ls; touch x'
su -c 'touch x'
su root -c 'touch x'
su - root -s /bin/x -c ls
runuser -u a -- touch x
time -p touch x
/usr/bin/time -o x ls
ls | tee x
sort -o x y
sort -ox y
sort --output x y
sort -bo x y
sort --out x y
sort -T /x y -o z
sort -k 1 -o x
sort --compress-program=x y
uniq a b
uniq -c a b
sed -i s/a/b/ x
sed -ni p x
sed -n --in-place=bak p x
sed -e p -i x
sed p -i x
sed 'w x' y
sed -n '/a/w x' y
sed 's/a/b/w x' y
sed 's/a/b/gw x' y
sed 's,a,b,;w x' y
sed 's/a/b/e' y
sed e y
sed '1!e touch x' y
sed -f x y
sed --expression='w x' y
sed -e p -e 'w x' y
sed 'y/abc/def/;w x' y
sed ':a;w x' y
sed 'b;w x' y
sed '/[/]/w x' y
sed 's/[/]/a/w x' y
sed 's/[]/]/w x/' y
sed 's/[[:alpha:]/]/w x/' y
sed '\%a%w x' y
sed '/a/I,/b/Mw x' y
sed '0~3w x' y
sed '$w x' y
sed '1,+2w x' y
sed 'l;w x' z
sed 'q5;w x' z
awk '{print > "x"}' y
awk '{print>"x"}' y
awk '{print $1 >> "x"}' y
awk 'BEGIN{print "a" | "sh"}'
awk 'BEGIN{system("touch x")}'
awk 'BEGIN{"touch x"|getline}'
awk 'BEGIN{"touch x"|&getline}'
awk 'BEGIN{printf "a" > "x"}'
awk 'BEGIN{printf("a") > "x"}'
awk 'BEGIN{print("a")("b") > "x"}'
awk 'BEGIN{if(1) print "a" > "x"}'
awk 'BEGIN{while(i++<1) print "a" > "x"}'
awk 'BEGIN{a=1/2; print "x" > "y/"}'
awk 'BEGIN{ print a["x"] > "y" }'
awk 'BEGIN{ print (1>2) > "y" }'
awk 'BEGIN { s = "sys" "tem"; @s("touch x") }'
awk -f x y
awk -fx y
awk --file=x y
awk -i inplace 1 y
awk -E x
awk -l x 1
awk -o 1
awk -dfoo 1
awk -pfoo 1
awk -v x=1 -f y
awk "$p" y
gawk --exec x
awk '/"/ {print "a" > "b"} /"/' y
awk '$0 ~ /a/ { print > "x" }' y
awk 'function f(x) { print x > "y" } {f($0)}' z
awk '{ print $1, $2 > "/tmp/" $1 }' y
awk '{ a = /x/ ? 1 : 2; print a > "f" }' y
git -c alias.x='!touch x' x
git log --output=x
git diff --output x
git diff --no-index --output=x a b
git --exec-path=. log
git -C . -c a=b log
git branch x
git branch -f x
git branch --edit-description
git branch -u o/x
git branch --set-upstream-to=o/x
git branch -m x
git tag x
git tag -a x
git tag -F x
git tag -d x
git remote add x y
git remote update
git remote prune x
git stash
git stash push
git config a b
git config --add a b
git config --global a b
git config -e
git config --get a b c --unset
git config set a b
git grep -Ovi x
git grep --open-files-in-pager x
git archive HEAD
git archive -o x HEAD
git bundle create x HEAD
git reflog delete x
git notes add
git worktree add x
git submodule update
git submodule foreach touch x
git rev-parse --parseopt
git log --ext-diff -p
git show --textconv
git cat-file --textconv x
git fetch
git bisect run x
git shortlog --output=x
git format-patch HEAD
git range-diff --output=x a b
git help -w x
curl -o x h
curl -ox h
curl -so x h
curl -O h/x
curl -Os h/x
curl -J -O h
curl -d a h
curl -da h
curl --data=a h
curl --data a h
curl -F a=b h
curl -T x h
curl -X DELETE h
curl -XPUT h
curl --request POST h
curl -sXPOST h
curl -c x h
curl -D x h
curl --stderr x h
curl --trace x h
curl -K x
curl --config x h
curl --output-dir x -O h
curl -w '%output{x}' h
curl file:///x -o y
curl scp://h/x
curl smtp://h
curl telnet://h
curl $u
curl "$u"
curl http://$x
curl --hsts x h
curl --unix-socket /var/run/docker.sock h
curl -Z h -o x
curl --etag-save x h
curl --next -d a h
curl -Q 'DELE x' ftp://h
wget h
wget -O x h
wget -O- h -o x
wget -qO - h --post-data=a
wget -O - -i x
wget --spider h --output-document=x
wget -O- h -e 'use_askpass=x'
wget -O- --use-askpass=x h
wget -O- --method=POST h
wget -O- --body-file=x h
tar xf a
tar -xf a
tar cf a b
tar tf a -x
tar -t --extract -f a
tar tf a --to-command=x
tar tf a --checkpoint-action=exec=x
tar tIf x a
tar -tf a -I x
tar tf h:a
tar -tf a --rsh-command=x
tar tFf x a
tar -tMf a --new-volume-script=x
tar tf a --delete
tar rf a b
unzip a
unzip -o a
unzip -l a -d x -o
less +!touch x
less '+!touch' x
less -o x y
less -k x y
more +!x y
journalctl --vacuum-size=1
journalctl --rotate
journalctl --cursor-file x
journalctl --cursor-file=x
systemctl start x
systemctl -q start x
systemctl --user start x
systemctl list-units start x; systemctl stop y
systemctl set-default x
systemctl --now status; systemctl mask x
hostname x
hostname -F x
hostname -b x
date -s x
date --set=x
date 01010101
date -u 0101
dmesg -c
dmesg -C
dmesg -n 1
dmesg -D
dmesg --clear
dmesg -Tc
sysctl a=b
sysctl -w a=b
sysctl -p
sysctl --load=x
sysctl a.b a=1
mount x y
mount -o remount /
mount -a
mount -t nfs h:/x /y
umount x
ip a add 1 dev e
ip addr del 1 dev e
ip -4 a a 1 dev e
ip l s e up
ip li se e up
ip link s e up
ip ro add x
ip r a x
ip rule add x
ip neigh flush all
ip -b x
ip -batch x
ip netns add x
ip netns exec x touch y
ip tuntap add x
ip xfrm state flush
ip route flush cache
ip -force -batch x
ip maddr add x
ip token set x
ip vrf exec x touch y
ifconfig e up
ifconfig e 1.1.1.1
ifconfig -a down x
route add x
route del x
arp -d x
arp -s x y
iptables -A x
iptables -L -Z
iptables -t nat -F
iptables -L --zero
iptables -N x
iptables -nL -A INPUT
nft add x
nft delete x
nft -f x
nft list ruleset ';' flush ruleset
nft 'list ruleset; flush ruleset'
tc qdisc add x
ethtool -s e x
ethtool -K e x
ethtool -p e
nmcli c up x
nmcli con down x
nmcli r wifi off
nmcli g hostname x
nmcli n off
nmcli d disconnect x
ping -f h
tcpdump -w x
tcpdump -i e -wx
tcpdump -r x -w y
tcpdump -z touch -G 1 -w x
nc -l 1
nc -e sh h 1
nc -c sh h 1
nc -zv -e sh h 1
ncat --exec x -z h 1
dig -f x
lsof -D b
lsof -Db
fuser -k x
kill 1
kill -9 1
kill -l 1; kill 2
kill -0 1 -9 2
pkill x
killall -l x; killall y
crontab x
crontab -r
crontab -e
crontab -l -r
crontab -u a -r
crontab
at now
at -f x now
at -l -r 1
passwd
chage -E 0 b
chage -l -E 0 b
useradd x
usermod x
rpm -i x
rpm -e x
rpm -q --import x
rpm -qa --eval '%(touch x)'
rpm -E '%(touch x)'
rpm -qp --pipe 'touch x' y
rpm -q -D 'x %(touch y)' z
rpm --rebuilddb
rpm -V x
dpkg -i x
dpkg -r x
dpkg -l --pre-invoke='touch x'
dpkg --configure -a
dpkg -P x
dpkg --set-selections
apt update
apt install x
apt list -o x=y
apt-get -s install x -o APT::Update::Pre-Invoke::=x
apt-get -c x -s upgrade
apt-get -s upgrade -d; apt-get upgrade
apt-get --simulate=false upgrade
apt-get -s=false upgrade
apt-get -s --no-simulate upgrade
apt-cache gencaches
dnf install x
dnf -y upgrade
dnf list --setopt=x=y
dnf clean all
dnf history undo 1
dnf repository-packages x install
yum -c x list
pip install x
pip list --python x
pip config set a b
npm i
npm run x
npm test
npm config set a b
npm view x --userconfig=y
docker run x
docker exec x touch y
docker exec -e A=b x ls
docker exec x sh -c 'touch y'
docker -H tcp://h rm x
docker rm x
docker compose up
docker compose -f x down
docker compose exec x touch y
docker inspect x; docker rm y
docker system prune
docker ps --format x; docker kill y
kubectl apply -f x
kubectl get -f http://h/x
kubectl delete x
kubectl exec x -- touch y
kubectl exec x -- sh -c 'touch y'
kubectl exec -it x -- bash
kubectl exec x touch y
kubectl get pods --kubeconfig=x
kubectl config set-context x
kubectl -n x -v 6 delete y
kubectl get x -o go-template-file=y; kubectl scale x
helm install x
helm list --post-renderer x
mysql -e 'drop table x'
mysql -e 'select 1; drop table x'
mysql -e "select 1 into outfile 'x'"
mysql -e '/*! drop table x */'
mysql -e 'select 1 /*! into outfile "x" */'
mysql -e 'select sleep(1)'
mysql -e '\! touch x'
mysql -e 'system touch x'
mysql -e "select 'a\\'; drop table x; -- '"
mysql -e 'select 1; system touch x'
mysql x < y
psql -c 'drop table x'
psql -c '\! touch x'
psql -c '\o x'
psql -c '\dt \! touch x'
psql -c 'select 1 \gexec'
psql -c "select 1 \\g |touch x"
psql -c 'copy x to program $$touch y$$'
psql -c "do \$\$ begin end \$\$"
psql -c 'select nextval($$x$$)'
psql -c 'select pg_read_file($$x$$)'
psql -c 'with a as (insert into x values (1) returning 1) select * from a'
psql -c 'explain analyze delete from x'
psql -c 'select * from x for no key update'
psql -c 'select "evil"(1)'
psql -f x
psql -o x -c 'select 1'
psql -v x=y -c 'select :x'
sqlite3 -readonly x '.shell touch y'
sqlite3 -readonly x '.output y'
sqlite3 -readonly x ".read y"
sqlite3 -readonly x "select load_extension('y')"
sqlite3 -readonly x "select writefile('y','z')"
sqlite3 -readonly -cmd '.shell x' y 'select 1'
sqlite3 -readonly x "attach 'y' as z"
redis-cli set a b
redis-cli eval x 0
redis-cli config set a b
redis-cli -x get a
redis-cli --eval x
redis-cli flushall
openssl x509 -in a -out b
openssl s_client -connect h -keylogfile x
cat x | openssl s_client -connect h:1
openssl s_client -connect h:1 < x
openssl s_client -connect h:1 <<< x
openssl req -new -keyout x
openssl x509 -in a -engine x
openssl genrsa 2048 > x
gpg --output x --decrypt y
gpg --list-keys --homedir x
ssh-keygen -R h
ssh-keygen -lf x -D y
nginx -s reload
nginx -t
nginx -v -s reload
nginx -T
python3 -c 1
python3 -V x.py
python3 --version -c 1
perl -v -e 1
node -v x
java -version X
make -v x
vim x
dd if=a
rsync a b
rsync -n -e 'touch x' a b
rsync -an --rsync-path=x a b
rsync -an --no-n a b
rsync -n --no-dry-run a b
mktemp
ldconfig
modprobe x
modprobe -n x -r; modprobe -r x
swapon x
losetup -a /dev/loop0 x
losetup -d x
fdisk /dev/sda
parted -l rm 1
tune2fs -l -O x /dev/sda
e2label a b
blkid -g
blkid -w x
hdparm -I -S 1 x
smartctl -a -s off x
smartctl -t long x
lvs --config x
lvremove x
zfs set a=b c
zpool scrub x
zpool status -c x
zpool iostat -c x
btrfs subvolume delete x
btrfs device stats -z x
mdadm -D --stop x
mdadm --detail x --stop
udevadm trigger
virsh 'list; destroy x'
virsh list \; destroy x
virsh list --all '; destroy x'
watch -x touch x
top -w x; touch y
strace ls
script x
ls ~[touch x]
echo *(e:'touch x':)
echo =(touch x)
ls <1-5>x
a=b; $a
$(echo touch) x
"touch" x
to''uch x
\touch x
t\ouch x
$'touch' x
$'\x74ouch' x
'touch' x
{touch,x}
touc? x
/bin/touch x
/usr/bin/touch x
./touch x
busybox touch x
printf -v PATH x
printf '%n' 'a[$(touch x)]'
read -r PATH
read path
read 'a[$(touch x)]'
mapfile -C 'touch x' -c 1 a
test -v 'a[$(touch x)]'
[ -v 'a[$(touch x)]' ]
[ 'a[$(touch x)]' -eq 1 ]
[ $x ]
[ a -a -v 'b[$(touch x)]' ]
let 'a[$(touch x)]=1'
echo @{x@P}
echo @{x:=y}
echo @{!x}
ls; set -- a; $1
hash -p x ls
enable -f x y
history -w x
fc -e touch
ulimit -n 5
umask 0
x() { :; }
cd /tmp && rm x
nohup ls
nsenter -t 1 -m touch x
chroot / touch x
unshare touch x
xargs -a x touch
xargs --arg-file=x rm
xargs --process-slot-var=PATH ls
xargs -I ls -n1 ls touch
ls | xargs sh -c
ls | xargs bash
ls | xargs sed -n p
ls | xargs find
ls | xargs git log
ls | xargs env
ls | xargs sudo
ls | xargs timeout 5
ls | xargs -I% sh -c 'ls %'
ls | xargs -i sh -c 'ls {}'
ls | xargs -I@ ssh h @
find . -exec env {} \;
find . -exec bash {} \;
find . | xargs -n1 -I{} bash -c "ls {}"
sort $x
sort "$x"
sort *
sed -n p "$x"
sed -n p *
find *
date "$x"
date $x
hostname "$x"
uniq "$x" "$y"
tree "$x"
journalctl "$x"
systemctl status "$x"
git log "$x"
git log *
dmesg "$x"
docker ps "$x"
lsof "$x"
ifconfig "$x" "$y"
file -C -m x
file -m x y
tput init
tput reset
stty sane
stty -F /dev/tty raw
column -c 80 x; lesspipe y
rg --pre x y
rg -z x
fd -x touch
fd x -X rm
ag --pager=touch x
bat --pager=touch x
man -P touch x
jq -L x .
tshark -X lua_script:x
nmap --script x h
nmap -oN x h
nmap -sC h
iperf3 -s
capsh --print -- -c 'touch x'
gdb -p 1
ansible all -a 'touch x'
ansible all -m script -a ls
ansible all -m ping -i ./x
ansible-playbook x
terraform plan
vault write x y
vault kv put x y
consul kv put x y
etcdctl put a b
aws s3 rm x
aws ec2 terminate-instances x
aws s3api get-object x y z
snap install x
flatpak run x
`
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('@{', '$'.concat('{')));

/** The same over several lines, or with characters that cannot be seen. */
export const NEVER_READ_ONLY_LINES: readonly string[] = [
  'cat x\u200b',
  'echo a\u202eb',
  'ls \u00a0 x',
  'cat x\u0007',
  'cat x\r',
  'echo \u{e0041}',
  'echo \ud800',
  'cat <<EOF\n$(touch x)\nEOF',
  'cat <<EOF\n`touch x`\nEOF',
  "cat <<'EOF'; touch x\nhello\nEOF",
  'cat <<A <<B\na\nA\nb\nB\ntouch x',
  'cat <<-E"O"F\n\tx\n\tEOF\ntouch x',
  'ls\ntouch x',
  'ls \\\n; touch x',
  't\\\nouch x',
  "sed 'a\\\nfoo\nw x' y",
  "sed '1,5{p;w x\n}' y",
  "sed 'b a\nw x' y",
  "sed 'r y\nw x' z",
  "sed '# c\nw x' z",
  "sed 's/x/\\\n/w x' z",
  'awk \'BEGIN{print "a",\n"b" > "x"}\'',
  'awk \'BEGIN{print "a", # c\n\n"b" > "x"}\'',
  'awk \'BEGIN{print a ?\n b : c > "x"}\'',
  'nft "list ruleset\nflush ruleset"',
  "mysql -e 'delimiter //\ndrop table x//'",
  "mysql -e 'select 1;\nsystem touch x'",
  'echo "@{x:-`touch x`}"',
  'ls # a\ntouch x',
  "echo $'a\\'; touch x; echo '",
  'ls\u200b; id',
  'ls\u00a0-l',
  'ls\u202e',
  'cat\u0000 x',
  'ls\r',
  "bash <<'EOF'\nrm x\nEOF",
  'if ls\nthen touch x\nfi',
  '[[ a || touch ]]',
  '[[ a > b ]]',
  '[[ > ]]',
  '[[ a =~ b|touch ]]',
  '[[ $x =~ ^a>b ]]',
  '[[ -n a>b"c" ]]',
].map((line) => line.replaceAll('@{', '$'.concat('{')));

/** Everyday diagnosis: each is read_only. */
export const READ_ONLY: readonly string[] = String.raw`
systemctl list-units --type=service --state=running --no-pager
systemctl status nginx --no-pager -l
systemctl is-active nginx && echo up || echo down
sudo journalctl -u ssh --since "2 hours ago" --no-pager | grep -i "failed password" | tail -20
journalctl -k -b -p warning --no-pager -n 100
df -hT | grep -v tmpfs
du -sh /var/* 2>/dev/null | sort -rh | head -10
free -m; uptime; nproc
ps aux --sort=-%cpu | head -15
ps -eo pid,ppid,cmd,%mem --sort=-%mem | head
top -bn1 | head -20
ss -tulpn | grep LISTEN
ip -4 -br addr; ip route show default
ping -c 2 -W 1 10.0.0.1 > /dev/null && echo ok
for i in 1 2 3; do ping -c1 -W1 "10.0.0.$i" >/dev/null 2>&1 && echo "$i up"; done
for f in /etc/cron.d/*; do echo "== $f"; cat "$f"; done
for h in web1 web2; do ssh -o BatchMode=yes $h uptime; done
for u in $(cut -d: -f1 /etc/passwd); do echo "$u"; done
while read -r line; do echo "$line"; done < /etc/hosts
while IFS=: read -r user _ uid _; do [ "$uid" -ge 1000 ] && echo "$user"; done < /etc/passwd
cat /proc/cpuinfo | grep -c ^processor
grep -c . /etc/passwd
awk -F: '$3 >= 1000 && $3 < 65534 { print $1, $3 }' /etc/passwd
awk '{ sum += $5 } END { printf "%.2f MB\n", sum / 1024 / 1024 }' /tmp/list
awk 'NR > 1 && $5+0 > 80 {print $6 " " $5}' /tmp/list
df -P | awk '0+$5 >= 80 {print}'
sed -n '10,20p' /etc/ssh/sshd_config
sed -e 's/#.*//' -e '/^$/d' /etc/ssh/sshd_config
sed -E 's/([0-9]+)\.([0-9]+)/\2.\1/g; s|/usr/|/|' f
find /etc -name '*.conf' -mtime -1 -ls 2>/dev/null
find /var/log -type f -size +50M -exec ls -lh {} \;
find / -xdev -perm -4000 -type f 2>/dev/null
find /srv -name '*.php' -print0 | xargs -0 grep -ln eval
dpkg -l | awk '/^ii/ {print $2, $3}' | sort
rpm -qa --last | head
apt list --installed 2>/dev/null | wc -l
getent passwd root; id; groups
last -n 5; who; w -h
lsof -nP -iTCP -sTCP:LISTEN
curl -sS -o /dev/null -w '%{http_code} %{time_total}\n' http://localhost:8080/health
curl -fsSL --max-time 5 https://example.com/status | jq -r .state
dig +short example.com; host example.com
openssl x509 -in /etc/ssl/cert.pem -noout -enddate
echo | openssl s_client -connect h:443 -servername h 2>/dev/null | openssl x509 -noout -dates
docker ps --format '{{.Names}}\t{{.Status}}'
docker exec -i web sh -c 'cat /etc/os-release | head -2'
kubectl get pods -n prod -o wide --show-labels
kubectl exec -n prod web-0 -- cat /etc/resolv.conf
git -C /srv/app log -1 --format=%H
git --no-pager log --oneline -n 5 -- src
timeout 5 tail -f /var/log/syslog
sudo -n cat /etc/shadow
sudo -u postgres psql -Atc 'select count(*) from pg_stat_activity'
mysql -e 'SHOW FULL PROCESSLIST'
redis-cli info memory | grep used_memory_human
lsblk -f; blkid; findmnt -D
mount | grep nfs; cat /proc/mounts
lvs; vgs; pvs
cat /sys/class/net/eth0/statistics/rx_bytes
stat -c '%U %a %n' /etc/passwd
sha256sum /usr/bin/ssh | cut -d' ' -f1
diff <(sort a) <(sort b)
test -r /etc/hosts && cat /etc/hosts
[ -d /opt/app ] && ls -la /opt/app || echo missing
[[ -f /etc/os-release && -r /etc/os-release ]] && cat /etc/os-release
if systemctl is-active --quiet nginx; then echo up; else echo down; fi
case x in x) uptime;; esac
{ uptime; free -h; } | cat
(cd /etc && ls)
x=/etc/hosts; cat "$x"
n=$(nproc); echo "$n"
[[ $x =~ ^(a|b)$ ]] && echo yes
[[ "a>b" == c ]] || [[ -n $(ls | head -1) ]]
set -euo pipefail; df -h
LC_ALL=C sort /etc/passwd | head -3
TZ=UTC date -u +%FT%TZ
env | sort
nice -n 10 du -sh /srv
bash -c 'uptime; df -h'
sh -c "grep -c processor /proc/cpuinfo"
command -v docker >/dev/null 2>&1 && docker version
type -a python3; which -a python3
echo {1..3} a{b,c}
printf '%s\n' "$HOME" ~
hostname -I; hostname -f; uname -r
cat <<< hello
zcat -f /var/log/syslog* | grep -c error
crontab -l 2>/dev/null; ls /etc/cron.*
sysctl -n net.ipv4.ip_forward
dmesg -T | grep -i oom
nc -zv -w 2 10.0.0.5 443
ssh h 'for i in 1 2; do uptime; done'
iostat -xz 1 2; vmstat 1 2; mpstat -P ALL 1 1
`
  .trim()
  .split('\n');
