import { fingerprint as fingerprintForm } from '../config/rules.js';
import { readArguments } from './options.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy [--config FILE] setup [--url URL] [--user NAME] [--password-env NAME|--password-file FILE]
                                                [--fingerprint AA:BB:…|--ca-file FILE] [--site NAME] [--yes]

Logs in to a Zerto appliance, shows its certificate's fingerprint, lists its VMs, proposes "targets" for the hosts of the config's
servers, writes the config (0600; what stood there is kept beside it), and ends with coverage. At a terminal it asks for what is
not given; elsewhere url, user, a place of the password and, for a self-signed appliance, its fingerprint are needed.

  --password-env NAME   the variable that holds the password, now and when a client starts the proxy
  --password-file FILE  a file that holds it; at a terminal the password is asked for and one is written (0600)
  --fingerprint SHA256  pins this certificate; setup stops where the appliance shows another one
  --ca-file FILE        trusts the authority in this PEM file
  --site NAME           what receipts call the appliance; default: its own name of its site
  --yes                 takes the proposed targets and changes a config that is there without asking

Exit codes: 0 written, 1 not reachable, not trusted, login refused or stopped, 2 usage or config error. Nothing is written but by 0.
`;

export interface SetupArgs {
  readonly url: string | undefined;
  readonly user: string | undefined;
  readonly passwordEnv: string | undefined;
  readonly passwordFile: string | undefined;
  readonly fingerprint: string | undefined;
  readonly caFile: string | undefined;
  readonly site: string | undefined;
  readonly yes: boolean;
}

const text = { type: 'string' } as const;
/** Its options. */
export const OPTIONS = {
  url: text,
  user: text,
  'password-env': text,
  'password-file': { type: 'string', value: 'file' },
  fingerprint: text,
  'ca-file': { type: 'string', value: 'file' },
  site: text,
  yes: { type: 'boolean' },
} as const;

/** The arguments, or what is wrong with them. */
export function readSetupArgs(args: readonly string[]): SetupArgs | string {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') return given;
  const { values } = given;
  const { url, user, fingerprint, site, yes = false } = values;
  const [passwordEnv, passwordFile, caFile] = [values['password-env'], values['password-file'], values['ca-file']];
  if (passwordEnv !== undefined && passwordFile !== undefined)
    return '--password-env and --password-file exclude each other: give one';
  if (fingerprint !== undefined && caFile !== undefined)
    return '--fingerprint and --ca-file exclude each other: give one';
  if (fingerprint !== undefined && !fingerprintForm.test(fingerprint))
    return '--fingerprint takes 32 bytes in hex; without it setup shows the one that the appliance presents';
  return { url, user, passwordEnv, passwordFile, fingerprint, caFile, site, yes };
}
