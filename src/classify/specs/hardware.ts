import type { Family } from './types.js';

/** Processors, buses, disks' health and sensors. */
export const HARDWARE = {
  effect: 'read_only',
  commands: {
    lscpu: {
      short: 'abBcCdeJpsxy',
      flags: { '-C -e -p --caches --extended --parse': 'optional', '-s --sysroot': 'value' },
      long: 'all bytes online offline hex physical output-all json hierarchic:: raw',
    },
    'lspci lspcmcia': {
      short: 'mvnkDtPqQbxs:d:i:p:A:O:',
      flags: { '-q -Q -H -F -O -M': { arg: 'none', effect: 'unknown' } },
    },
    lsusb: { short: 'vts:d:D:', long: 'verbose tree' },
    lshw: {
      short: 'cC:Xs',
      style: 'words',
      flags: {
        '-short -html -xml -json -businfo -numeric -sanitize -quiet -notime': 'none',
        '-class -C -c -disable -enable': 'value',
        '-dump -X': { arg: 'value', effect: 'unknown' },
      },
    },
    lsscsi: {
      short: 'cdgHiklLpPstuvw',
      long: 'classic device generic hosts kname list lunhex long protection size transport unit verbose wwn brief',
    },
    lsmem: {
      short: 'abJnPo:rS:s:',
      long: 'all bytes json noheadings output: output-all pairs raw split: sysroot: summary::',
    },
    lsirq: { short: 'JPo:nrs:S' },
    lshal: {},
    'lspath lsdev': {},
    dmidecode: {
      short: 'qs:t:uH:',
      long: 'quiet string: type: handle: dump no-sysfs oem-string:',
      flags: { '--dump-bin': { arg: 'value', effect: 'mutating' }, '-d --dev-mem --from-dump': 'value' },
    },
    biosdecode: {},
    'vpddecode ownership': {},
    sensors: { short: 'AufjcUv', long: 'no-adapter fahrenheit' },
    acpi: {
      short: 'abtcsBVfkpvi',
      long: 'battery ac-adapter thermal cooling everything details show-empty fahrenheit',
    },
    inxi: {
      short: 'AbBCDfFGiIlmMnNopPrRsStuvxwzc:',
      long: 'audio basic battery cpu disk full graphics info memory machine network sensors system usb filter',
      flags: { '-v -c -w -t': 'optional', '-y': 'value' },
    },
    smartctl: {
      otherwise: 'unknown',
      short: 'aHicAxj',
      flags: {
        // scterc and scttempint with numbers set the disk's timers.
        '-l --log': { arg: 'value', match: '^(?!sct(?:erc|tempint),)' },
        '-d --device -n --nocheck -f --format -v -q --quietmode -r -g --get': 'value',
        '-T': 'value',
        '--all --xall --health --info --capabilities --attributes --scan --scan-open --json': 'optional',
        '-t -s -o -S -X --test --set --smart --offlineauto --saveauto --abort -P -B': {
          arg: 'value',
          effect: 'mutating',
        },
      },
    },
    nvme: {
      otherwise: 'unknown',
      subcommands: {
        'list list-subsys id-ctrl id-ns smart-log error-log fw-log show-regs list-ns list-ctrl get-feature self-test-log version':
          { short: 'o:vn:H', long: 'output-format: verbose namespace-id: human-readable' },
        'format sanitize fw-download fw-commit create-ns delete-ns attach-ns detach-ns set-feature reset subsystem-reset write write-zeroes device-self-test':
          'mutating',
      },
    },
    hdparm: { otherwise: 'mutating', short: 'iICgtTvqd', flags: { '-d': { arg: 'none', effect: 'mutating' } } },
    cpupower: {
      everywhere: true,
      short: 'c:',
      long: 'cpu:',
      subcommands: {
        'frequency-info idle-info info monitor': {
          short: 'elwldgfhsopyrma',
          long: 'freq hwfreq hwlimits driver policy governors related-cpus affected-cpus stats latency proc human no-rounding perf boost debug',
          operands: { max: 0 },
        },
        'frequency-set idle-set set': 'mutating',
      },
    },
    turbostat: {
      style: 'posix',
      short: 'qSi:n:s:c:lJ',
      long: 'quiet interval: num_iterations: show: hide: cpu: list Summary Joules',
      flags: { '-o --out': { arg: 'value', effect: 'mutating' } },
      operands: { max: 0 },
    },
    'nvidia-smi': {
      short: 'qLl:i:d:',
      long: 'query list-gpus loop: id: display: format: help-query-gpu',
      flags: {
        '--query-gpu --query-compute-apps --format': 'value',
        '-f --filename -r -pm -pl -c -e -ac -rac --gpu-reset': { arg: 'value', effect: 'mutating' },
      },
      otherwise: 'unknown',
    },
    'x86info cpuid rdmsr': { short: 'acfgim1r' },
    numactl: {
      otherwise: 'unknown',
      requires: '-H -s --hardware --show',
      short: 'Hs',
      long: 'hardware show',
      operands: { max: 0 },
    },
    ipmitool: {
      style: 'posix',
      short: 'I:H:U:P:f:EL:p:N:R:v',
      subcommands: {
        'sdr sensor': { subcommands: { 'list type get elist info': {} }, bare: 'read_only' },
        sel: { subcommands: { 'list elist info get': {}, clear: 'mutating' }, bare: 'read_only' },
        'fru mc bmc lan user chassis': { subcommands: { 'print list info status': {} } },
        power: { subcommands: { status: {}, 'on off cycle reset soft': 'mutating' } },
      },
    },
    udevadm: {
      subcommands: {
        info: {
          short: 'q:p:n:raxew::',
          long: 'query: path: name: root attribute-walk export-db export export-prefix: device-id-of-file: no-pager tree json:',
          flags: { '-c --cleanup-db': { arg: 'none', effect: 'mutating' } },
        },
        monitor: { short: 'kups:t:', long: 'kernel udev property subsystem-match: tag-match:' },
        verify: {},
        'trigger control settle lock wait hwdb': 'mutating',
        'test test-builtin': 'unknown',
      },
    },
    upower: {
      short: 'edi:wm',
      long: 'enumerate dump show-info: monitor monitor-detail wakeups',
      flags: { '-i': 'value' },
    },
    vcgencmd: {
      operands: {
        match:
          '^(?:measure_temp|measure_volts|measure_clock|get_throttled|get_mem|get_config|version|arm|gpu|core|int|str|get_camera)$',
      },
    },
    'edac-util': { short: 'vr:s', long: 'report: status' },
    'mcelog ras-mc-ctl': {
      otherwise: 'unknown',
      requires: '--client --summary --errors --status',
      long: 'client summary errors status',
    },
    rasdaemon: { effect: 'unknown' },
    hwinfo: {
      long: 'short all cpu disk memory netcard network usb pci gfxcard storage bios sound monitor keyboard mouse partition cdrom arch smp framebuffer bluetooth wlan',
    },
  },
  examples: {
    read_only: [
      'hwinfo --short --cpu',
      'lscpu',
      'lspci -nnk',
      'lsusb -v',
      'lshw -short',
      'lshw -class network -sanitize',
      'dmidecode -t memory',
      'sensors',
      'smartctl -a /dev/sda',
      'smartctl -l error /dev/sda',
      'smartctl -H -d sat /dev/sda',
      'hdparm -I /dev/sda',
      'nvme list',
      'udevadm info --query=all --name=/dev/sda',
      'ipmitool sdr list',
      'numactl -H',
      'cpupower frequency-info',
      'nvidia-smi -q',
    ],
    unknown: [
      'hwinfo --log=f',
      'smartctl --frob /dev/sda',
      'smartctl -l scterc,70,70 /dev/sda',
      'cpupower monitor touch x',
      'lspci -H1',
    ],
    mutating: [
      'smartctl -t short /dev/sda',
      'smartctl -s off /dev/sda',
      'hdparm -S 12 /dev/sda',
      'dmidecode --dump-bin f',
      'nvme format /dev/nvme0',
      'cpupower frequency-set -g x',
      'ipmitool power off',
      'ipmitool sel clear',
    ],
  },
} as const satisfies Family;
