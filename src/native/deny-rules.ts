/**
 * One reason to withhold files. `match`: globs that fit the end of a path at a name's border, so copies in container layers,
 * backups and chroots count too. `except` lifts the rule. The examples are checked by the tests.
 */
export interface DenyRule {
  readonly why: string;
  readonly match: readonly string[];
  readonly except?: readonly string[];
  /** Only for Windows paths. */
  readonly windows?: boolean;
  readonly denied: readonly string[];
  readonly free: readonly string[];
}

/** Files whose guest permissions keep secrets that the journal would give away. */
export const DENY_RULES: readonly DenyRule[] = [
  {
    why: 'password hashes',
    match: [
      '{shadow,gshadow,opasswd,master.passwd,spwd.db}',
      'etc/**/{shadow,gshadow}*',
      'var/backups/**/{shadow,gshadow}*',
    ],
    denied: [
      '/etc/shadow',
      '/etc/shadow-',
      '/mnt/img/etc/gshadow',
      '/var/backups/shadow.bak',
      '/root/shadow.old',
      '/etc/.shadow.swp',
    ],
    free: ['/etc/passwd', '/srv/www/shadow.css', '/etc/app/shadows/list'],
  },
  {
    why: 'private keys of ssh',
    match: [
      '.ssh/{id_,identity}*',
      'id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}',
      'ssh_host_*key',
      '*.ppk',
      '.ssh/*.key',
    ],
    except: ['*.pub'],
    denied: [
      '/root/.ssh/id_rsa',
      '/home/u/.ssh/id_work',
      '/etc/ssh/ssh_host_ed25519_key',
      'C:\\Users\\u\\.ssh\\id_rsa',
      '/tmp/id_rsa.bak',
    ],
    free: ['/root/.ssh/id_rsa.pub', '/root/.ssh/authorized_keys', '/etc/ssh/sshd_config'],
  },
  {
    why: 'private keys and key stores',
    match: [
      '*.{pem,key,pk8,p8,pkcs8,pfx,p12,jks,jceks,bcfks,keystore,kdbx,kdb,keytab,bek,pvk,snk,keychain,keychain-db,jwk,wallet}',
      '{privkey,private_key,private-key,keystore,secring}*',
      'etc/ssl/private/**',
      'etc/pki/**/private/**',
      '{letsencrypt,acme}/{live,archive,keys,accounts}/**',
      '.gnupg/**',
      '.password-store/**',
      'key{3,4}.db',
      'logins.json',
      'login data',
    ],
    denied: [
      '/etc/ssl/private/site',
      '/srv/tls/server.key',
      '/srv/tls/server.key.bak',
      '/opt/app/keystore.jks',
      'C:\\certs\\site.pfx',
      '/etc/krb5.keytab',
      '/root/.gnupg/trustdb',
    ],
    free: ['/etc/ssl/openssl.cnf', '/etc/ssl/certs/site.crt', '/srv/monkey.txt'],
  },
  {
    why: 'cluster credentials',
    match: [
      'kubeconfig*',
      '*.kubeconfig',
      '.kube/**',
      'etc/kubernetes/*.conf',
      'etc/kubernetes/pki/**',
      'rancher/{k3s,rke2}/**/{*.yaml,token,tls/**}',
      'rancher/{k3s,rke2}/*.yaml',
      'rancher/{k3s,rke2}/server/**',
      'var/lib/kubelet/**/pki/**',
      'volumes/kubernetes.io~{secret,projected}/**',
      'secrets/kubernetes.io/**',
      'var/lib/etcd/**',
      'run/secrets/**',
    ],
    denied: [
      '/root/.kube/config',
      '/etc/kubernetes/admin.conf',
      '/etc/rancher/k3s/k3s.yaml',
      '/var/lib/etcd/member/snap/db',
    ],
    free: ['/etc/kubernetes/manifests/etcd.yaml', '/srv/kube/deploy.yaml'],
  },
  {
    why: 'credentials of clouds, registries and clients',
    match: [
      '.aws/{credentials,sso/**,cli/**}',
      '.azure/**',
      'gcloud/**/{credentials.db,access_tokens.db,application_default_credentials.json,legacy_credentials/**}',
      'gcloud/{credentials.db,access_tokens.db,application_default_credentials.json}',
      '{.docker,.podman,containers}/{config.json,auth.json}',
      '{.pgpass,.my.cnf,.mylogin.cnf,.netrc,_netrc,.git-credentials,.npmrc,.pypirc,.vault-token,.smbcredentials,.s3cfg,.boto,.htpasswd}',
      '.vault_pass*',
      '*.tfstate',
      'krb5cc_*',
    ],
    denied: [
      '/home/u/.aws/credentials',
      '/root/.docker/config.json',
      '/root/.netrc',
      '/root/.pgpass',
      '/srv/tf/prod.tfstate.backup',
    ],
    free: ['/home/u/.aws/config', '/etc/docker/daemon.json'],
  },
  {
    why: 'environment files with secrets',
    match: ['.env', '.env.*', '*.env'],
    except: ['*.{example,sample,template,dist}'],
    denied: ['/srv/app/.env', '/srv/app/.env.production', 'C:\\app\\.env'],
    free: ['/srv/app/.env.example', '/etc/environment'],
  },
  {
    why: 'secrets of a machine’s first start',
    match: [
      'cloud/**/{user-data,vendor-data}*',
      'cloud/instance*/**',
      'cloud/seed/**',
      'var/lib/waagent/**',
      '{ks,anaconda-ks,original-ks}.cfg',
      'preseed*.cfg',
      'autoinstall-user-data',
    ],
    denied: [
      '/var/lib/cloud/instances/i-1/user-data.txt',
      '/var/lib/cloud/instance/obj.pkl',
      '/var/lib/waagent/ovf-env.xml',
      '/root/anaconda-ks.cfg',
    ],
    free: ['/etc/cloud/cloud.cfg'],
  },
  {
    why: 'keys and passwords of networks',
    match: [
      'etc/wireguard/**',
      '*.ovpn',
      'networkmanager/system-connections/**',
      'wpa_supplicant*.conf',
      'etc/ppp/*-secrets',
      'ipsec.secrets',
      'ipsec.d/private/**',
      'swanctl/{private,rsa,ecdsa,pkcs8,pkcs12}/**',
      'samba/private/**',
      'sss/{db,secrets}/**',
      '{secrets,passdb}.tdb',
    ],
    denied: [
      '/etc/wireguard/wg0.conf',
      '/etc/NetworkManager/system-connections/home.nmconnection',
      '/var/lib/samba/private/secrets.tdb',
    ],
    free: ['/etc/samba/smb.conf', '/etc/network/interfaces'],
  },
  {
    why: 'images of memory',
    match: [
      '{pagefile,hiberfil,swapfile}.sys',
      'swapfile',
      'swap.img',
      '*.{dmp,mdmp,vmem,vmsn,vmss}',
      '{vmcore,kcore}',
    ],
    denied: ['C:\\hiberfil.sys', '/swapfile', '/var/crash/1/vmcore', 'C:\\Windows\\MEMORY.DMP'],
    free: ['/etc/fstab'],
  },
  {
    why: 'account databases of Windows',
    match: [
      'system32/config/{sam,security,system,default}*',
      'system32/config/regback/**',
      'windows/repair/**',
      'windows/ntds/**',
      'ntds.dit',
      'system volume information/**',
    ],
    denied: [
      'C:\\Windows\\System32\\config\\SAM',
      'c:/windows/system32/CONFIG/system.LOG1',
      'D:\\ntds\\ntds.dit',
      'C:\\Windows\\repair\\sam',
      'C:\\Windows\\NTDS\\edb.log',
    ],
    free: ['C:\\Windows\\System32\\drivers\\etc\\hosts', 'C:\\Windows\\System32\\config\\components'],
  },
  {
    why: 'copies of the account databases of Windows',
    windows: true,
    match: ['{sam,security,system}', '{sam,security,system}.{hiv,hive,reg,dit,dat}'],
    denied: ['C:\\temp\\sam', 'C:\\temp\\system.hiv', 'C:\\temp\\SECURITY.bak'],
    free: ['C:\\temp\\system.txt', '/etc/security/limits.conf'],
  },
  {
    why: 'answer files of a Windows setup',
    match: [
      '{unattend,autounattend,unattended,sysprep}.{xml,inf,txt}',
      'windows/panther/**',
      'system32/sysprep/**',
      'customsettings.ini',
      'bootstrap.ini',
    ],
    denied: [
      'C:\\Windows\\Panther\\setup.xml',
      'C:\\unattend.xml',
      'C:\\Windows\\System32\\Sysprep\\sysprep.xml',
      'C:\\unattend.xml.bak',
    ],
    free: ['C:\\inetpub\\wwwroot\\web.config'],
  },
  {
    why: 'protected data of Windows accounts',
    match: [
      'microsoft/{protect,crypto,credentials,vault,ngc,systemcertificates}/**',
      'serviceprofiles/**/ngc/**',
      'machinekeys/**',
      'sysvol/**/preferences/**',
      'consolehost_history.txt',
      '*.rdg',
    ],
    denied: [
      'C:\\Users\\u\\AppData\\Roaming\\Microsoft\\Protect\\S-1\\key',
      'C:\\ProgramData\\Microsoft\\Crypto\\RSA\\MachineKeys\\a',
    ],
    free: ['C:\\ProgramData\\app\\settings.json'],
  },
];
