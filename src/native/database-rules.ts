import type { DenyRule } from './deny-rules.js';

/** Files that mean something only together with others, as they were at one moment. `domain`: a domain's directory. */
export interface DatabaseRule extends DenyRule {
  readonly domain?: boolean;
}

/** What one file of a running database is, by its name and place. */
export const DATABASE_RULES: readonly DatabaseRule[] = [
  {
    why: 'a domain’s directory',
    domain: true,
    match: ['windows/ntds/**', 'ntds.dit', 'windows/sysvol/**'],
    denied: ['C:\\Windows\\NTDS\\ntds.dit', 'D:\\ntds\\ntds.dit', 'C:\\Windows\\SYSVOL\\domain\\Policies\\x\\gpt.ini'],
    free: ['C:\\Windows\\win.ini', '/srv/ntds.txt'],
  },
  {
    why: 'a database of SQL Server',
    match: ['*.{mdf,ndf,ldf}'],
    denied: ['D:\\MSSQL\\DATA\\sales.mdf', 'E:\\log\\sales_log.LDF'],
    free: ['D:\\backup\\sales.sql'],
  },
  {
    why: 'a database of MySQL or MariaDB',
    match: [
      '{mysql,mariadb}/**/*.{ibd,frm,myd,myi,mai,mad,ibu}',
      '{ibdata1,ibdata2,ib_logfile0,ib_logfile1,undo_001,undo_002}',
      '#innodb_redo/**',
      '#ib_16384_*.dblwr',
      '{mysql,mariadb}/**/{binlog,mysql-bin,relay-bin}.*',
      '*.ibd',
    ],
    denied: [
      '/var/lib/mysql/app/orders.ibd',
      '/var/lib/mysql/ibdata1',
      '/data/mysql/ib_logfile0',
      '/var/lib/mysql/#innodb_redo/#ib_redo10',
      '/var/lib/mysql/binlog.000012',
    ],
    free: ['/etc/mysql/my.cnf', '/srv/dump/app.sql.gz', '/srv/ibdata.txt'],
  },
  {
    why: 'a database of PostgreSQL',
    match: [
      '{postgresql,postgres,pgsql,pgdata}/**/{base,global,pg_wal,pg_xlog,pg_xact,pg_clog,pg_multixact,pg_tblspc,pg_twophase}/**',
      '{pg_wal,pg_xlog,pg_xact}/**',
    ],
    denied: ['/var/lib/postgresql/15/main/base/16384/2619', '/var/lib/pgsql/data/pg_wal/000000010000000000000001'],
    free: ['/var/lib/postgresql/15/main/postgresql.conf', '/etc/postgresql/15/main/pg_hba.conf', '/srv/base/x'],
  },
  {
    why: 'a write-ahead log',
    match: ['*.{db,db3,sqlite,sqlite3,sqlitedb}-{wal,shm,journal}', '*-wal'],
    denied: ['/srv/app/app.db-wal', '/srv/app/app.sqlite3-journal'],
    free: ['/srv/app/app.db', '/srv/app/wal.md'],
  },
  {
    why: 'a database of Oracle',
    match: ['oradata/**', '*.dbf', 'redo*.{log,rdo}'],
    denied: ['/u01/oradata/ORCL/users01.dbf', '/u02/redo01.log'],
    free: ['/u01/app/oracle/network/admin/tnsnames.ora'],
  },
  {
    why: 'a database of MongoDB',
    match: ['*.wt', '{mongodb,mongo}/**/journal/**', 'wiredtiger*'],
    denied: ['/var/lib/mongodb/collection-0-123.wt', '/var/lib/mongodb/journal/WiredTigerLog.01'],
    free: ['/etc/mongod.conf'],
  },
  {
    why: 'a database of Exchange or another ESE store',
    match: ['*.edb', 'edb*.{log,chk,jrs}', 'e0?.{chk,jrs}'],
    denied: ['D:\\Exchange\\DB01\\DB01.edb', 'C:\\Windows\\SoftwareDistribution\\DataStore\\Logs\\edb.log'],
    free: ['D:\\Exchange\\setup.log'],
  },
];
