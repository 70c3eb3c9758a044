import type { Family } from './types.js';

const SHOWS = {
  subcommands: { 'list show describe get-instance-view list-*': { style: 'any' } },
} as const;

/** Hypervisors and the machines on them. */
export const VIRTUALIZATION = {
  effect: 'read_only',
  commands: {
    virsh: {
      elsewhere: { flags: '-c --connect' },
      style: 'posix',
      short: 'qrd:',
      long: 'quiet readonly',
      // The query of an address may name a program that makes the connection.
      flags: {
        '-c --connect': { arg: 'value', match: '^[a-z]+(?:\\+(?:ssh|libssh2?|tcp|tls|unix))?://[^?]*$' },
      },
      subcommands: {
        'list dominfo domstate domid domuuid domname domblklist domblkinfo domblkstat domiflist domifaddr domifstat domif-getlink dommemstat domstats domfsinfo domhostname domjobinfo domcontrol dumpxml vcpucount vcpuinfo cpu-stats net-list net-info net-dumpxml net-uuid net-name net-dhcp-leases iface-list iface-dumpxml iface-mac nodedev-list nodedev-dumpxml pool-list pool-info pool-dumpxml pool-uuid pool-name vol-list vol-info vol-dumpxml vol-path vol-key vol-name vol-pool secret-list secret-dumpxml snapshot-list snapshot-info snapshot-dumpxml snapshot-parent checkpoint-list checkpoint-info nwfilter-list nwfilter-dumpxml nodeinfo nodecpustats nodememstats nodecpumap freecell capabilities domcapabilities hostname sysinfo uri version help':
          {
            operands: { match: '^[^;]*$' },
            long: 'all inactive state-running state-paused state-shutoff state-other name uuid title table persistent transient autostart no-autostart details inactive live config domain: human source: interface: full tree leaves roots parent: metadata with-snapshot without-snapshot managed-save raw block state cpu-total balloon vcpu nowait perf iothread type: pool: vol: reason network: current maximum guest',
          },
        'start shutdown reboot reset destroy undefine define create suspend resume save restore managedsave managedsave-remove autostart attach-device attach-disk attach-interface detach-device detach-disk detach-interface update-device setmem setmaxmem setvcpus migrate edit desc net-start net-destroy net-define net-create net-undefine net-autostart net-edit net-update pool-start pool-destroy pool-define pool-create pool-create-as pool-define-as pool-delete pool-undefine pool-refresh pool-build pool-autostart vol-create vol-create-as vol-delete vol-resize vol-clone vol-wipe vol-upload vol-download snapshot-create snapshot-create-as snapshot-delete snapshot-revert snapshot-edit blockcommit blockcopy blockpull blockresize blkdeviotune domrename dump screenshot send-key inject-nmi iface-start iface-destroy iface-define iface-undefine iface-bridge secret-define secret-undefine secret-set-value change-media':
          'mutating',
        'qemu-monitor-command qemu-agent-command console': 'unknown',
      },
    },
    'virt-top virt-df virt-host-validate virt-what': { short: 'bn:h' },
    'virt-install virt-clone virt-resize virt-customize virt-sysprep virt-edit': { effect: 'mutating' },
    qm: {
      subcommands: {
        'list status config pending listsnapshot showcmd': { long: 'full:: verbose:: current:: snapshot:' },
        'create start stop shutdown reboot reset suspend resume destroy set clone migrate snapshot rollback delsnapshot resize template unlock move-disk importdisk sendkey':
          'mutating',
        'monitor guest terminal': 'unknown',
      },
    },
    pct: {
      subcommands: {
        'list status config pending listsnapshot df cpusets': {},
        'create start stop shutdown reboot suspend resume destroy set clone migrate snapshot rollback delsnapshot resize template unlock restore push pull mount unmount':
          'mutating',
        'exec enter console': 'unknown',
      },
    },
    pvesh: {
      subcommands: {
        'get ls usage': { long: 'output-format: noborder:: human-readable::' },
        'create set delete': 'mutating',
      },
    },
    'pvecm pveversion pvesm': {
      otherwise: 'unknown',
      short: 'v',
      long: 'verbose',
      subcommands: { 'status nodes list': {} },
      bare: 'read_only',
    },
    VBoxManage: {
      subcommands: {
        'list showvminfo showmediuminfo': { long: 'long machinereadable details', short: 'l' },
        guestproperty: { subcommands: { 'get enumerate': {} } },
        'startvm controlvm createvm modifyvm unregistervm registervm clonevm snapshot storageattach createmedium closemedium import export':
          'mutating',
      },
    },
    vagrant: {
      effect: 'unknown',
      otherwise: 'unknown',
      subcommands: { version: {}, 'up halt destroy reload suspend resume provision init package': 'mutating' },
    },
    'vmware-toolbox-cmd': {
      subcommands: { 'stat -v': {}, timesync: { subcommands: { status: {}, 'enable disable': 'mutating' } } },
    },
    aws: {
      elsewhere: {
        always: true,
        except:
          '^(?:configure|help|sso|ecr get-login|eks update-kubeconfig|s3 (?:cp|mv|sync)|s3api get-object)(?:[ -]|$)',
      },
      style: 'getopt',
      short: '',
      long: 'profile: region: output: no-cli-pager query: no-paginate',
      subcommands: {
        s3: { subcommands: { ls: { long: 'recursive human-readable summarize' }, 'cp mv rm sync mb rb': 'mutating' } },
        configure: {
          subcommands: { 'list list-profiles get': { long: 'profile: region:' }, 'set import sso': 'mutating' },
        },
        help: {},
        'ec2 iam sts rds ecs eks ecr elb elbv2 logs cloudwatch cloudformation autoscaling lambda route53 s3api sns sqs ssm secretsmanager dynamodb kms efs backup organizations cloudtrail config elasticache':
          {
            subcommands: {
              'describe-*': { style: 'any' },
              'list-*': { style: 'any' },
              'get-caller-identity': { style: 'any' },
              'tail filter-log-events': { style: 'any' },
              'get-metric-statistics get-metric-data get-log-events get-console-output get-parameter get-parameters get-secret-value get-user get-role get-policy get-function get-hosted-zone get-bucket-policy get-bucket-location':
                { style: 'any' },
            },
          },
      },
    },
    az: {
      elsewhere: {
        always: true,
        except:
          '^(?:login|logout|configure|config|cloud|extension|bicep|upgrade|account (?:set|clear)|aks get-credentials|acr login|storage blob download)(?:[ -]|$)',
      },
      short: 'o:',
      long: 'output: query: subscription:',
      subcommands: {
        'vm vmss group disk snapshot image aks acr webapp functionapp resource identity storage sql keyvault': SHOWS,
        account: SHOWS,
        network: { subcommands: { 'vnet nsg nic public-ip lb route-table vnet-gateway private-endpoint dns': SHOWS } },
        monitor: { subcommands: { 'activity-log metrics alert': SHOWS } },
        version: {},
      },
    },
    gcloud: {
      elsewhere: {
        always: true,
        except:
          '^(?:config|auth|components|init|info|storage cp|container clusters get-credentials|compute (?:scp|config-ssh))(?:[ -]|$)',
      },
      long: 'project: format: quiet',
      subcommands: {
        compute: {
          subcommands: {
            'instances disks networks firewall-rules zones regions snapshots images addresses machine-types routes forwarding-rules backend-services':
              SHOWS,
          },
        },
        container: { subcommands: { 'clusters node-pools': SHOWS } },
        sql: { subcommands: { 'instances databases backups operations': SHOWS } },
        'projects services functions': SHOWS,
        config: { subcommands: { 'list get-value get': { style: 'any' } } },
        auth: { subcommands: { list: { style: 'any' } } },
        logging: { subcommands: { read: { style: 'any' } } },
        'info version': {},
      },
    },
    'kafka-topics kafka-topics.sh': {
      otherwise: 'mutating',
      requires: '--list --describe',
      long: 'bootstrap-server: zookeeper: topic: list describe exclude-internal under-replicated-partitions unavailable-partitions under-min-isr-partitions',
    },
    'kafka-consumer-groups kafka-consumer-groups.sh': {
      otherwise: 'mutating',
      requires: '--list --describe',
      long: 'bootstrap-server: group: all-groups list describe members state offsets verbose timeout:',
    },
    pcs: {
      subcommands: {
        status: { style: 'any' },
        'resource stonith constraint': { subcommands: { 'status config show': { long: 'full' } } },
        quorum: { subcommands: { 'status config': {} } },
      },
    },
    crm_mon: {
      short: '1nrfotcAR',
      long: 'one-shot group-by-node inactive failcounts operations timing-details show-detail',
    },
    'corosync-cfgtool': { otherwise: 'mutating', requires: '-s -n', short: 'snb' },
    'corosync-quorumtool': { otherwise: 'mutating', requires: '-s -l', short: 'sli' },
  },
  examples: {
    read_only: [
      'az vm list -o table',
      'az account show',
      'gcloud compute instances list --format=json',
      'gcloud config list',
      'aws logs tail g',
      'pcs status',
      'crm_mon -1',
      'corosync-cfgtool -s',
      'kafka-topics.sh --bootstrap-server h:9092 --list',
      'aws ec2 describe-instances --instance-ids i',
      'aws s3 ls',
      'virsh list --all',
      'virsh dominfo vm1',
      'virsh -c qemu:///system dumpxml vm1',
      'qm list',
      'pct list',
      'pvesh get /nodes',
      'virsh snapshot-list vm1',
    ],
    unknown: [
      'az vm frob',
      'gcloud compute instances frob',
      'pcs frob',
      'aws s3api get-object a',
      'aws ec2 frob',
      'virsh qemu-monitor-command x',
      'virsh "list; destroy x"',
      'virsh -c "qemu+ssh://h/system?command=/tmp/x" list',
      'virsh --connect=qemu+ext:///system list',
      'virsh',
    ],
    mutating: [
      'kafka-topics.sh --bootstrap-server h:9092 --delete --topic t',
      'corosync-cfgtool -R',
      'virsh destroy vm1',
      'virsh start vm1',
      'qm stop 100',
      'pct destroy 100',
      'virt-install --name x',
    ],
  },
} as const satisfies Family;
