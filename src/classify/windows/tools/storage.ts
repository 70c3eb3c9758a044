import type { ToolFamily, ToolSpec } from '../types.js';

const ANY: ToolSpec = { style: 'any' };
const QUERIES: ToolSpec = { otherwise: 'mutating', verbs: { query: ANY } };

/** Disks, volumes, images, shadow copies and encryption. */
export const STORAGE = {
  effect: 'read_only',
  commands: {
    fsutil: {
      verbs: {
        fsinfo: {
          otherwise: 'mutating',
          verbs: { 'drives drivetype volumeinfo ntfsinfo refsinfo sectorinfo statistics tpminfo': ANY },
        },
        volume: {
          otherwise: 'mutating',
          verbs: { 'diskfree list querycluster allocationreport filelayout querylabel querynumaffinity': ANY },
        },
        'dirty behavior bypassio devdrv storagereserve objectid quota': QUERIES,
        usn: { otherwise: 'mutating', verbs: { 'queryjournal readjournal readdata enumdata': ANY } },
        file: {
          otherwise: 'mutating',
          verbs: {
            'queryallocranges queryextents queryfileid queryfilenamebyid findbysid layout queryoptimizemetadata querycasesensitiveinfo queryvaliddata queryea queryprocessesusing':
              ANY,
          },
        },
        'hardlink links': { otherwise: 'mutating', verbs: { list: ANY } },
        reparsepoint: QUERIES,
        sparse: { otherwise: 'mutating', verbs: { 'queryflag queryrange': ANY } },
        repair: { otherwise: 'mutating', verbs: { 'query enumerate state': ANY } },
        resource: { otherwise: 'mutating', verbs: { info: ANY } },
        transaction: { otherwise: 'mutating', verbs: { 'list query fileinfo': ANY } },
        '8dot3name': QUERIES,
        tiering: { otherwise: 'mutating', verbs: { 'queryflags regionlist tierlist': ANY } },
        wim: { otherwise: 'mutating', verbs: { 'enumfiles enumwims queryfile': ANY } },
      },
    },
    chkdsk: { flags: 'v', operands: { max: 2, match: '^[^/]' }, otherwise: 'mutating' },
    chkntfs: { operands: { max: 4 }, otherwise: 'mutating' },
    'format diskraid defrag convert cleanmgr recover diskshadow': { effect: 'mutating' },
    diskpart: { effect: 'unknown' },
    vssadmin: { otherwise: 'mutating', verbs: { list: ANY } },
    wbadmin: { otherwise: 'mutating', verbs: { get: { verbs: { 'versions status items disks': ANY } } } },
    mountvol: {
      operands: { max: 1 },
      flags: 'l',
      otherwise: 'mutating',
      bare: 'read_only',
      verbs: { '/l': { operands: { max: 0 } } },
    },
    fltmc: { bare: 'read_only', otherwise: 'mutating', verbs: { 'filters instances volumes': ANY } },
    'manage-bde': {
      otherwise: 'mutating',
      verbs: {
        '/status': { operands: { max: 1 }, flags: 'computername+ cn+ protectionaserrorlevel p' },
        '/protectors': {
          verbAnywhere: true,
          operands: { max: 1 },
          verbs: { '/get': { operands: { max: 1 }, flags: 'type+ t+ id+ computername+ cn+' } },
        },
      },
    },
    dism: {
      otherwise: 'mutating',
      flags:
        'online image: english format: windir: sysdrivedrive: loglevel: quiet norestart imagefile: wimfile: index: name: featurename: packagename: packagepath: driver: capabilityname: all limitaccess',
      verbAnywhere: true,
      verbs: {
        '/get-features /get-featureinfo /get-packages /get-packageinfo /get-drivers /get-driverinfo /get-intl /get-currentedition /get-targeteditions /get-capabilities /get-capabilityinfo /get-mountedimageinfo /get-mountedwiminfo /get-imageinfo /get-wiminfo /get-provisionedappxpackages /get-apps /get-appinfo /get-apppatches /get-apppatchinfo /get-reservedstoragestate /get-osuninstallwindow /get-defaultappassociations':
          { operands: { max: 0 } },
        '/get-featureinfo: /get-packageinfo: /get-driverinfo:': 'unknown',
        '/cleanup-image': {
          requires: 'checkhealth analyzecomponentstore',
          flags: 'checkhealth analyzecomponentstore',
          operands: { max: 0 },
        },
      },
    },
    iscsicli: {
      otherwise: 'mutating',
      verbs: {
        'listtargets listinitiators sessionlist reporttargetmappings listtargetportals listpersistenttargets version':
          ANY,
      },
    },
    mpclaim: { otherwise: 'mutating', flags: 's d h e', operands: { max: 1 }, requires: 's e' },
  },
  examples: {
    read_only: [
      'fsutil volume diskfree C:',
      'fsutil fsInfo volumeInfo C:',
      'fsutil dirty query C:',
      'fsutil usn queryjournal C:',
      'chkdsk C:',
      'chkntfs C:',
      'vssadmin list shadows',
      'wbadmin get versions',
      'manage-bde -status C:',
      'manage-bde -protectors -get C:',
      'manage-bde -protectors C: -get',
      'dism /online /get-features /format:table',
      'dism /english /online /Get-Packages',
      'dism /online /cleanup-image /checkhealth',
      'fltmc',
      'fltmc instances',
      'mountvol',
    ],
    unknown: ['diskpart', 'fsutil frob x'],
    mutating: [
      'fsutil file createnew C:\\x 1',
      'fsutil usn deletejournal /d C:',
      'fsutil dirty set C:',
      'fsutil behavior set disablelastaccess 1',
      'chkdsk C: /f',
      'chkdsk C: /scan',
      'vssadmin delete shadows /all',
      'vssadmin create shadow /for=C:',
      'wbadmin start backup',
      'manage-bde -off C:',
      'manage-bde -protectors -delete C:',
      'dism /online /cleanup-image /restorehealth',
      'dism /online /enable-feature /featurename:x',
      'dism /online /get-features /logpath:C:\\x',
      'format E:',
      'mountvol X: /d',
      'fltmc unload x',
    ],
  },
} as const satisfies ToolFamily;
