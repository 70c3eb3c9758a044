import type { Family } from './types.js';

/** Programs whose every call is taken for a change; `--help` and `--version` alone are not. */
export const CHANGERS = {
  effect: 'mutating',
  commands: {
    'rm rmdir unlink shred mv cp ln link install touch truncate mkdir mkfifo mknod mktemp dd tee split csplit rename chmod chown chgrp chattr setfacl setfattr chcon fallocate sponge':
      {},
    rsync: {
      elsewhere: { copy: true },
      simulate: '-n --dry-run',
      short: 'nvqcarRbulLpoogtDHAXESWdzhiPxCmUN046',
      flags: {
        '-e -f -B -T -M': { arg: 'value', effect: 'unknown' },
        '-e --rsh --rsync-path --log-file --write-batch --only-write-batch --read-batch --partial-dir --temp-dir --remote-option --password-file --filter --daemon':
          { arg: 'value', effect: 'unknown' },
      },
      long: 'dry-run verbose quiet checksum archive recursive relative update links copy-links perms owner group times devices specials hard-links acls xattrs sparse whole-file compress human-readable itemize-changes progress partial delete delete-before delete-during delete-after delete-excluded existing ignore-existing exclude: exclude-from: include: include-from: stats info: size-only bwlimit: timeout: port: max-size: min-size: one-file-system numeric-ids no-perms no-owner no-group omit-dir-times list-only modify-window: no-o no-g no-p out-format:',
    },
    scp: { style: 'posix', short: '346BCOpqRrsTvc:D:F:i:J:l:o:P:S:X:', elsewhere: { copy: true } },
    sftp: { style: 'posix', short: '46AaCfNpqrvb:B:c:D:F:i:J:l:o:P:R:S:s:X:', elsewhere: { operand: 0 } },
    'ssh-copy-id': { short: 'fnsi:p:o:F:t:', elsewhere: { operand: 0 } },
    'rclone zip zipsplit zipcloak zipnote compress uncompress uudecode ftp tftp lftp aria2c axel': {},
    'useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup gpasswd chpasswd newusers chfn vipw vigr pam_tally2 edquota setquota quotaon quotaoff loginctl-kill':
      {},
    'reboot shutdown poweroff halt init telinit kexec rtcwake pm-suspend skill snice renice': {},
    'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mke2fs mkswap swapoff umount pivot_root fsck.xfs resize2fs xfs_admin wipefs partprobe growpart mkdosfs mkntfs ntfsfix fsadm fstrim blkdiscard':
      {},
    'pvcreate pvremove pvresize pvmove pvchange vgcreate vgremove vgextend vgreduce vgchange vgrename vgimport vgexport lvcreate lvremove lvextend lvreduce lvresize lvrename lvchange lvconvert':
      {},
    'insmod rmmod depmod update-initramfs mkinitrd grub-install grub2-install update-grub grub-mkconfig grub2-mkconfig grub-set-default grub-reboot update-rc.d update-ca-certificates update-ca-trust systemd-tmpfiles systemd-sysusers systemd-run systemd-cat systemd-notify':
      {},
    'setenforce setsebool setsysctl semodule fixfiles a2ensite a2dissite a2enmod a2dismod nginx_ensite certbot': {},
    'ifup ifdown dhclient dhcpcd netplan-apply iptables-restore ip6tables-restore iptables-apply ntpdate nsupdate rndc wg-quick wpa_cli':
      {},
    'logger wall write mail mailx sendmail sendemail mutt newaliases postmap postalias': {},
    'updatedb mandb makewhatis fc-cache gtk-update-icon-cache ldconfig.real locale-gen localedef dpkg-reconfigure debconf-set-selections dpkg-divert dpkg-statoverride tzselect':
      {},
    'vi vim vim.tiny nvim nano emacs ed ex pico joe mcedit sudoedit visudoedit patch dos2unix unix2dos': {},
    'ssh-keygen-g3 ksh-keygen htpasswd openssl-genrsa kinit kdestroy kadmin': {},
    'ipcrm ipcmk batch script atrm incrontab flock crond run-parts debugfs.ocfs2 swaplabel2': {},
    dracut: { otherwise: 'mutating', effect: 'read_only', requires: '--list-modules --help', long: 'list-modules' },
    mkinitcpio: {
      otherwise: 'mutating',
      effect: 'read_only',
      requires: '-H -L -V --hookhelp --listhooks --automods --listpresets',
      short: 'H:LM',
      long: 'hookhelp: listhooks automods listpresets',
    },
  },
  examples: {
    read_only: ['rm --help', 'rsync -avn a b', 'rsync --dry-run -a --delete a/ h:/b'],
    unknown: ['rsync -n -e x a b'],
    mutating: [
      'rm -rf /x',
      'cp a b',
      'tee f',
      'mkdir x',
      'mktemp',
      'chmod 755 f',
      'dd if=a of=b',
      'useradd bob',
      'reboot',
      'logger x',
      'rsync -a a b',
      'rsync -a --dry-run=false a b',
      'mkfs.ext4 /dev/sda1',
      'touch f',
      '/bin/rm f',
      '/usr/bin/rm f',
    ],
  },
} as const satisfies Family;
