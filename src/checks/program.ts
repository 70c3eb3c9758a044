import { about, type Check } from './check.js';

/** The oldest Node that the program runs on, as package.json says. */
const OLDEST = [20, 19] as const;

/** What the process itself runs on and under. `versions` as in `process.versions`. */
export function programChecks(
  node: string,
  version: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly Check[] {
  return [nodeCheck(node, version), ...environmentChecks(env)];
}

function nodeCheck(node: string, version: string): Check {
  const check = about('program.node');
  const [major = 0, minor = 0] = node.replace(/^v/, '').split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  const detail = `zerto-rewind-proxy ${version} on Node ${node.replace(/^v/, '')}`;
  return isOld ? check.fail(detail, `Install Node ${OLDEST.join('.')} or newer.`) : check.pass(detail);
}

const TLS_SWITCH = 'NODE_TLS_REJECT_UNAUTHORIZED';

function environmentChecks(env: Readonly<Record<string, string | undefined>>): readonly Check[] {
  const checks: Check[] = [];
  if (env[TLS_SWITCH] === '0') {
    checks.push(
      about('program.tls-switch').warn(
        `${TLS_SWITCH} is set to 0: the wrapped servers check no certificate. The proxy itself does not go by it.`,
        'Unset it; trust an authority of your own by NODE_EXTRA_CA_CERTS.',
      ),
    );
  }
  if ((env['NODE_OPTIONS'] ?? '') !== '') {
    checks.push(
      about('program.node-options').warn(
        'NODE_OPTIONS is set: it can load code into the proxy before the proxy itself.',
        'Unset it where the client starts the proxy, unless you know what it is for.',
      ),
    );
  }
  return checks;
}
