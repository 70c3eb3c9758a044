import type { Family } from './types.js';

const MYSQL = {
  short: 'h:u:P:S:D:p::NBsEtrvCAbfnHXqwUe:',
  flags: {
    '-e --execute': 'value',
    '--tee --init-command --pager --plugin-dir --default-auth --defaults-file --defaults-extra-file --local-infile --ssl-key':
      { arg: 'value', effect: 'unknown' },
    '--tee': { arg: 'value', effect: 'mutating' },
    '-U --safe-updates': 'none',
  },
  long: 'host: user: port: socket: database: password:: skip-column-names batch silent vertical table raw verbose connect-timeout: protocol: ssl-mode: column-names html xml no-defaults compress default-character-set: login-path: skip-ssl ssl-ca: ssl-verify-server-cert',
} as const;

const HOST = { flags: '-h --host' } as const;

/** Database clients. SQL in a flag is judged; SQL from a file or standard input cannot be seen. */
export const DATABASES = {
  effect: 'read_only',
  commands: {
    'mysql mariadb': {
      elsewhere: HOST,
      ...MYSQL,
      code: { language: 'sql', flags: '-e --execute' },
      operands: { max: 1, literal: true },
    },
    'mysqladmin mariadb-admin': {
      elsewhere: HOST,
      short: MYSQL.short,
      long: `${MYSQL.long} sleep: count: relative`,
      subcommands: {
        'status extended-status processlist ping variables version': { operands: { max: 0 } },
        'create drop password shutdown kill reload refresh flush-hosts flush-logs flush-privileges flush-status flush-tables flush-threads start-slave stop-slave start-replica stop-replica':
          'mutating',
      },
    },
    'mysqlshow mariadb-show': {
      short: 'h:u:P:S:p::ktiv',
      long: 'host: user: port: password:: count keys status show-table-type',
      operands: { literal: true },
    },
    'mysqldump mariadb-dump mysqlimport mysqlcheck mysql_upgrade pg_dump pg_dumpall pg_restore mongodump mongorestore':
      { effect: 'mutating', why: 'locks or writes' },
    mysqlbinlog: { effect: 'unknown' },
    psql: {
      elsewhere: HOST,
      short: 'h:U:p:d:c:lAtqxXwWnP:F:R:EezH0b1',
      flags: {
        '-c --command': 'value',
        '-1 --single-transaction': 'none',
        '-o --output -L --log-file': { arg: 'value', effect: 'mutating' },
        '-f --file -v --set --variable -s -S': { arg: 'value', effect: 'unknown' },
      },
      long: 'host: username: port: dbname: list no-align tuples-only quiet expanded no-psqlrc no-password password pset: field-separator: record-separator: csv html echo-queries echo-hidden echo-errors echo-all',
      code: { language: 'psql', flags: '-c --command', idle: '-l --list' },
      operands: { max: 2, literal: true },
    },
    pg_isready: { short: 'd:h:p:qt:U:', long: 'dbname: host: port: quiet timeout: username:' },
    pg_controldata: { short: 'D:', long: 'pgdata:' },
    pg_lsclusters: { short: 'hjs', long: 'no-header json start-conf' },
    pg_ctl: {
      otherwise: 'mutating',
      short: 'D:s',
      subcommands: {
        status: { short: 'D:s' },
        'start stop restart reload promote init initdb kill logrotate': 'mutating',
      },
    },
    sqlite3: {
      style: 'words',
      requires: '-readonly',
      flags: {
        '-readonly -header -headers -noheader -csv -column -json -line -list -table -box -markdown -html -batch -bail -ascii -tabs -quote':
          'none',
        '-separator -nullvalue -newline -mode -maxsize': 'value',
        '-cmd -init': { arg: 'value', effect: 'unknown' },
      },
      code: { language: 'sqlite', operand: 1, rest: true },
      operands: { max: 1, min: 1 },
    },
    'redis-cli valkey-cli': {
      elsewhere: { flags: '-h -u' },
      style: 'posix',
      short: 'h:p:a:n:u:r:i:c3246',
      flags: {
        '-s --pattern --intrinsic-latency': 'value',
        '-x -X --eval --pipe --rdb --functions-rdb --cluster --ldb': { arg: 'value', effect: 'unknown' },
        '--user --pass --cacert --cert --key': 'value',
      },
      long: 'raw no-raw csv json quoted-json tls no-auth-warning insecure latency latency-history latency-dist bigkeys memkeys hotkeys stat scan',
      code: {
        language: 'redis',
        operand: 0,
        rest: true,
        idle: '--latency --latency-history --latency-dist --bigkeys --memkeys --hotkeys --stat --scan --intrinsic-latency',
      },
    },
    // One call without arguments of a listed method, and members of what it answers.
    'mongo mongosh': {
      elsewhere: { flags: '--host' },
      requires: '--eval',
      short: 'u:p:',
      long: 'quiet host: port: username: password: authenticationDatabase: norc tls ssl',
      flags: {
        '--eval': {
          arg: 'value',
          match:
            '^(?:printjson\\(|JSON\\.stringify\\()?(?:db|rs|sh)(?:\\.[a-z_][A-Za-z0-9_]*)?\\.(?:serverStatus|stats|hostInfo|version|currentOp|isMaster|hello|getCollectionNames|getCollectionInfos|printReplicationInfo|printSecondaryReplicationInfo|getReplicationInfo|status|conf|countDocuments|estimatedDocumentCount|getIndexes|totalSize|dataSize|storageSize|getProfilingStatus|getUsers|getRoles|serverBuildInfo|isBalancerRunning)\\(\\)(?:\\.[A-Za-z_][A-Za-z0-9_]*)*\\)?;?$',
        },
      },
      operands: { max: 1, match: '^[A-Za-z0-9_.:/?=&@%-]+$' },
    },
    'clickhouse-client clickhouse': {
      elsewhere: { flags: '-host -h' },
      style: 'words',
      flags: {
        '-q -query -host -port -user -password -database -format -h -u -d -f': 'value',
        '-secure -s -time -t': 'none',
      },
      code: { language: 'sql', flags: '-q -query' },
      operands: { max: 0 },
    },
    'influx cqlsh': { effect: 'unknown' },
    'createdb dropdb createuser dropuser': { effect: 'mutating', short: 'h:p:U:', long: 'host:', elsewhere: HOST },
    'initdb vacuumdb reindexdb clusterdb pg_resetwal pg_rewind pg_basebackup': {
      effect: 'mutating',
    },
    nodetool: {
      elsewhere: { flags: '-h --host' },
      short: 'h:p:u:',
      subcommands: {
        'status info ring tpstats describecluster compactionstats netstats gossipinfo version tablestats cfstats getcompactionthroughput proxyhistograms tablehistograms failuredetector statusgossip statusbinary':
          {},
        'drain decommission repair cleanup compact flush removenode snapshot clearsnapshot disablegossip enablegossip scrub upgradesstables rebuild assassinate':
          'mutating',
      },
    },
    memcstat: { effect: 'unknown' },
    'lmstat ldapwhoami': { short: 'xH:D:w:WZ' },
    slapcat: { otherwise: 'mutating', short: 'n:b:f:F:a:s:cgv', flags: { '-l': { arg: 'value', effect: 'mutating' } } },
    pg_config: {
      style: 'words',
      flags: {
        '-bindir -docdir -includedir -includedir-server -libdir -pkglibdir -localedir -mandir -sharedir -sysconfdir -pgxs -configure -cc -cflags -ldflags -libs':
          'none',
      },
    },
  },
  examples: {
    read_only: [
      'redis-cli --bigkeys',
      "mongosh --quiet --eval 'db.serverStatus().connections'",
      "clickhouse-client -q 'select 1'",
      'pg_config --bindir',
      'mysql -N -e "SELECT user,host FROM mysql.user"',
      "mysql -uroot -pX -e 'SHOW PROCESSLIST; SHOW SLAVE STATUS\\G'",
      'mysqladmin -u root status',
      'psql -c "SELECT count(*) FROM t WHERE a = \'x\'"',
      'psql -l',
      'psql -d app -Atc "select pg_size_pretty(pg_database_size(\'app\'))"',
      "psql -c '\\dt+'",
      'psql -c "EXPLAIN ANALYZE SELECT 1"',
      'sqlite3 -readonly f ".tables"',
      'sqlite3 -readonly f "select * from t"',
      'redis-cli info',
      'redis-cli -h h -p 1 config get maxmemory',
      'redis-cli ping',
      'pg_isready -h h',
      'nodetool status',
    ],
    unknown: [
      'mongosh',
      "mongosh --eval 'db.dropDatabase()'",
      "mongosh --eval 'db.t.find().forEach(f)'",
      'clickhouse-client -q "select * from url(\'http://h\')"',
      'mysqladmin status shutdown',
      'mysql',
      'mysql < f',
      "mysql -e 'source /x.sql'",
      "mysql -e 'select f(1)'",
      'psql -f f',
      "psql -c '\\! id'",
      'psql -c "select pg_terminate_backend(1)"',
      'psql -c "SELECT lo_export(1,\'/x\')"',
      "sqlite3 f '.shell id'",
      'sqlite3 f "select 1"',
      "redis-cli eval 'x' 0",
      'redis-cli -x set k',
      'psql -v a=b -c "select 1"',
      "mysql -e 'select 1 -- x'",
      "mysql -e 'system id'",
      'mysql -e "$q"',
      'psql -c "select \'\\\\\'"',
      'psql -c "select evil.count(1)"',
    ],
    mutating: [
      'mysql -e "SELECT 1; DROP TABLE t"',
      'mysql -e "SET GLOBAL a=5"',
      "mysql --tee=/x -e 'select 1'",
      'psql -c "DELETE FROM t"',
      'psql -c "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"',
      'psql -c "SELECT * FROM t FOR UPDATE"',
      'psql -c "COPY t TO PROGRAM \'id\'"',
      'redis-cli flushall',
      'redis-cli config set a b',
      'mysqladmin shutdown',
      'mysql -e "KILL 5"',
      'mysql -e "select 1 into outfile \'/x\'"',
    ],
  },
} as const satisfies Family;
