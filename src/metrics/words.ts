/** What OpenTelemetry calls a value that is none of the known ones: what callers may choose must not make new series. */
const OTHER = '_OTHER';

const METHODS: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tools/call',
  'tools/list',
]);

/** The value of `mcp.method.name`. */
export function methodName(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

/** The value of `error.type`: the proxy's own words, an HTTP status, or a code that JSON-RPC or MCP defines. */
export function errorType(problem: string): string {
  const own = /^[A-Za-z][A-Za-z_]{0,40}$|^[1-5]\d\d$/;
  return own.test(problem) || /^-32(?:70|60|00|02)\d$/.test(problem) || problem === '-32042' ? problem : OTHER;
}
