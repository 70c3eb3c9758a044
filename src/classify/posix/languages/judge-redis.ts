import { mutating, type Ruling, readOnly, unknown } from '../context.js';

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

const READS = words(
  `GET MGET EXISTS TTL PTTL TYPE STRLEN HGET HMGET HGETALL HKEYS HVALS HLEN HEXISTS LLEN LRANGE LINDEX SCARD SMEMBERS SISMEMBER ZCARD ZRANGE
   ZSCORE ZRANK ZCOUNT ZRANGEBYSCORE KEYS SCAN HSCAN SSCAN ZSCAN DBSIZE INFO PING ECHO TIME LASTSAVE ROLE GETRANGE XLEN XRANGE XINFO RANDOMKEY`,
);
const PAIRS = words(
  `CONFIG/GET CLIENT/LIST CLIENT/ID CLIENT/INFO CLUSTER/INFO CLUSTER/NODES CLUSTER/SLOTS MEMORY/USAGE MEMORY/STATS MEMORY/DOCTOR SLOWLOG/GET SLOWLOG/LEN
   LATENCY/LATEST LATENCY/DOCTOR OBJECT/ENCODING OBJECT/IDLETIME COMMAND/COUNT ACL/LIST ACL/WHOAMI ACL/USERS MODULE/LIST PUBSUB/CHANNELS`,
);
const UNSEEN = words('EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO SCRIPT FUNCTION');

/** A Redis command in words. Scripts cannot be seen; what is not listed as reading changes something. */
export function judgeRedis(texts: readonly string[]): Ruling {
  const [command = '', sub = ''] = texts.map((text) => text.toUpperCase());
  if (READS.has(command) || PAIRS.has(`${command}/${sub}`)) return readOnly(`${command} reads`);
  if (UNSEEN.has(command) || !/^[A-Z]+$/.test(command)) return unknown(`${command} runs code or is not known`);
  return mutating(`${command} is not listed as reading`);
}
