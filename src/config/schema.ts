import { z } from 'zod';
import { EFFECTS } from '../domain/assessment.js';
import { FAMILIES, ROLES, SHELLS } from '../domain/call.js';
import {
  collectorUrl,
  exempt,
  fingerprint,
  noTwins,
  oneOf,
  oneSecret,
  pairOf,
  someOf,
  someText,
  withinWord,
  zvmUrl,
} from './rules.js';

const text = z.string().min(1);
const name = text.max(200);
const seconds = z.number().positive().max(86_400);
const count = z.int().positive();

const NO_FINGERPRINT = 'must be the SHA-256 fingerprint of a certificate, 32 bytes in hex';

const auth = z.discriminatedUnion('grant', [
  z
    .strictObject({
      grant: z.literal('password'),
      clientId: name.default('zerto-client').describe('Client of the realm zerto.'),
      username: name,
      password: text.optional().describe('Better: passwordEnv or passwordFile.'),
      passwordEnv: name
        .optional()
        .describe('The variable that holds the password; it is withheld from the wrapped servers.'),
      passwordFile: text
        .optional()
        .describe('A file that holds the password; a relative path starts at the config file.'),
    })
    .superRefine(oneSecret('password')),
  z
    .strictObject({
      grant: z.literal('client_credentials'),
      clientId: name,
      clientSecret: text.optional().describe('Better: clientSecretEnv or clientSecretFile.'),
      clientSecretEnv: name
        .optional()
        .describe('The variable that holds the secret; it is withheld from the wrapped servers.'),
      clientSecretFile: text
        .optional()
        .describe('A file that holds the secret; a relative path starts at the config file.'),
    })
    .superRefine(oneSecret('clientSecret')),
]);

const tls = z
  .strictObject({
    fingerprint256: z
      .string()
      .regex(
        fingerprint,
        `${NO_FINGERPRINT}; take this key out, then "zerto-rewind-proxy doctor" shows the appliance's`,
      )
      .optional()
      .describe('SHA-256 fingerprint of the certificate that is trusted.'),
    caFile: text.optional().describe('A PEM file with the authority that is trusted.'),
    verify: z.boolean().optional().describe('false: the certificate is not checked at all.'),
  })
  .superRefine(oneOf(['fingerprint256', 'caFile'], 'verify'));

const site = z.strictObject({
  name: name.describe('What this site is called in receipts.'),
  url: z.string().superRefine(zvmUrl).describe('https://HOST of the Zerto Virtual Manager.'),
  auth,
  tls: tls.optional(),
});

const zvm = z
  .union([
    z.literal('simulator'),
    z.strictObject({
      sites: z
        .array(site)
        .min(1)
        .superRefine(noTwins((one: { name: string }) => one.name, 'name')),
    }),
  ])
  .describe('The Zerto appliances, or "simulator", which keeps nothing. Without it nothing can be pinned.');

const server = z
  .strictObject({
    type: z.enum(['stdio', 'http', 'streamable-http', 'sse']).optional(),
    command: text.optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: text.optional(),
    url: z.url({ protocol: /^https?$/ }).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    headersEnv: z
      .record(z.string(), name)
      .optional()
      .describe('Header to the variable that holds its value; withheld from the wrapped servers.'),
    family: z.enum(FAMILIES).optional().describe('What kind of server it is; else recognised from its tools.'),
    shell: z.enum(SHELLS).optional().describe('The language its commands are in; else from the family.'),
    target: name.optional().describe('The VM of a server that serves exactly one.'),
  })
  .superRefine(oneOf(['command', 'url']));

const effect = z.enum(EFFECTS);
const commandRule = z.looseObject({
  effect: effect.optional(),
  why: text.optional(),
  examples: z.partialRecord(effect, z.array(z.string())),
});
const opens = z
  .strictObject({
    hosts: z.array(name).min(1).describe('The arguments that name its host.'),
    named: name.optional().describe('The argument with the name that later calls give.'),
    told: name.optional().describe('The member of the answer with that name, where the server chooses it.'),
  })
  .superRefine(someOf(['named', 'told']));
const toolRule = z.strictObject({
  roles: z.record(z.string(), z.enum(ROLES)).default({}).describe('What each argument is taken for.'),
  effect: effect.optional().describe('The effect of a call that carries no command.'),
  why: text.optional(),
  opens: opens.optional().describe('It opens a session or connection that later calls of its session name.'),
  examples: z.array(z.strictObject({ arguments: z.record(z.string(), z.unknown()), effect })).min(1),
});

/** Labels of letters (of any script), digits, `-` and `_`. A pattern would name more than it shows. */
const DOMAIN = /^\.?[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u;

const redactPattern = name.superRefine(someText);

const peerTls = z
  .strictObject({
    caFile: text.optional().describe('A PEM file with the authorities that are trusted; read for each connection.'),
    fingerprint256: z
      .string()
      .regex(
        fingerprint,
        `${NO_FINGERPRINT}; "openssl x509 -noout -fingerprint -sha256 -in FILE" shows a certificate's`,
      )
      .optional()
      .describe('SHA-256 fingerprint of the only certificate that is trusted.'),
    certFile: text.optional().describe('A PEM file with the certificate by which the proxy shows who it is.'),
    keyFile: text.optional().describe('A PEM file with its key.'),
  })
  .superRefine(oneOf(['caFile', 'fingerprint256']))
  .superRefine(pairOf('certFile', 'keyFile'));

const otlp = z
  .strictObject({
    url: z
      .string()
      .superRefine(collectorUrl)
      .describe('The collector; /v1/logs, /v1/traces and /v1/metrics are added to it.'),
    headers: z.record(name, z.string()).optional(),
    headersEnv: z
      .record(name, name)
      .optional()
      .describe('Header to the variable that holds its value; withheld from the wrapped servers.'),
    headersFile: z.record(name, text).optional().describe('Header to a file that holds its value.'),
    tls: peerTls.optional(),
    logs: z.boolean().default(true).describe('Each audit record as a log record.'),
    traces: z.boolean().default(true).describe('Spans of each call.'),
    metrics: z
      .boolean()
      .default(false)
      .describe('What /metrics of serve shows, from each process that wraps or serves.'),
    metricsEverySeconds: z.number().min(1).max(3600).default(60),
  })
  .describe('A collector of OpenTelemetry, by OTLP over HTTP.');

const syslog = z
  .strictObject({
    host: name,
    port: z.int().min(1).max(65_535).default(6514),
    tls: peerTls.optional(),
    format: z.enum(['json', 'ocsf']).default('json').describe('What the text of a message is: the record, or OCSF.'),
    facility: z.int().min(0).max(23).default(13).describe('13 is "log audit".'),
  })
  .describe('A receiver of RFC 5424 over TLS (RFC 5425).');

const ocsf = z
  .strictObject({ dir: text.describe('A directory; a relative path starts at the config file.') })
  .describe('OCSF events as JSON lines in a file for each day, for a shipper that reads files.');

const onTrouble = z.enum(['ask', 'refuse', 'forward']).default('ask');

/** The whole config file, as the user writes it. Every object is strict; defaults are those of docs/configuration. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1).optional(),
  zvm: zvm.optional(),
  mcpServers: z
    .record(name, server)
    .default({})
    .describe('The wrapped servers, as MCP clients write them, with family, shell and target.'),
  targets: z
    .record(name, z.union([name, z.strictObject({ vmIdentifier: name })]))
    .superRefine(noTwins(([key]) => key, 'name', Object.entries))
    .default({})
    .describe('What callers call a host, to the name or identifier of its VM.'),
  domains: z
    .array(z.string().max(253).regex(DOMAIN, 'expected a domain such as corp.example'))
    .default([])
    .describe('Domains whose hosts are your VMs: app01.corp.example is then the VM app01.'),
  exempt: z
    .array(z.strictObject({ hosts: z.array(z.string().superRefine(exempt)).min(1), reason: text }))
    .default([])
    .describe('Hosts (globs or networks) that need no checkpoint; never for a name that is also a protected VM.'),
  agent: name.optional().describe('Name used in tags; else what the client calls itself.'),
  mode: z
    .enum(['enforce', 'observe'])
    .default('enforce')
    .describe('observe: judges and records, pins and refuses nothing.'),
  policy: z
    .strictObject({
      unknown: z
        .enum(['ask', 'pin', 'refuse'])
        .default('ask')
        .describe('What happens to a call whose effect is not known.'),
      nobodyAnswers: z
        .enum(['pin', 'refuse'])
        .default('pin')
        .describe('What ask means for such a call where nobody can be asked.'),
      unresolved: onTrouble.describe('What happens where a host is not exactly one VM.'),
      unprotected: onTrouble.describe('What happens where no VPG protects the VM.'),
      maxVmsPerCall: count.default(10).describe('Above this a person is asked.'),
    })
    .prefault({}),
  guard: z
    .strictObject({
      timeoutSeconds: seconds
        .nullable()
        .default(null)
        .describe('How long a pin may take; null: vSphere 60, Azure 180, AWS 900.'),
      answerWithinSeconds: seconds
        .default(45)
        .describe('After this the client is told to send the call again, while the pin goes on.'),
      reuseSeconds: z
        .number()
        .min(0)
        .max(86_400)
        .default(0)
        .describe('How long a tag may serve later calls to its VM; 0: never.'),
      holdSeconds: z
        .number()
        .min(0)
        .max(600)
        .default(5)
        .describe('How long a call waits until its tag lies a second back.'),
      maxTagsPerVpgPerHour: count.default(120),
      trustCloudTags: z
        .boolean()
        .default(false)
        .describe('Recover from the tag on Azure and AWS, though tags were seen stamped late there.'),
    })
    .prefault({}),
  approvals: z
    .strictObject({
      outOfBand: z
        .boolean()
        .default(true)
        .describe('Where the client can ask nobody and policy would refuse, a person may answer with `approve`.'),
      minutes: z.number().positive().max(1440).default(10).describe('How long such a question waits.'),
      notify: z.boolean().default(true).describe('Says on the desktop that a question waits.'),
    })
    .prefault({}),
  classifier: z
    .strictObject({
      commands: z
        .record(name, commandRule)
        .default({})
        .describe('Rules for programs; the examples are checked at load.'),
      tools: z.record(name, toolRule).default({}).describe('Rules for tools; the examples are checked at load.'),
    })
    .prefault({}),
  ansible: z
    .strictObject({
      inventorySnapshot: z
        .union([
          text,
          z.strictObject({
            file: text.describe('A relative path starts at the config file.'),
            maxAgeMinutes: count.optional().describe('How long it counts after it was written; without it, for ever.'),
          }),
        ])
        .nullable()
        .default(null)
        .describe('A file with the output of ansible-inventory --list, for default inventories that cannot be read.'),
      allowExecutableInventory: z
        .boolean()
        .default(false)
        .describe('true: ansible-inventory is run where an inventory is a program or the settings of a plugin.'),
    })
    .prefault({}),
  recovery: z
    .strictObject({
      maxRecoverBytes: count.default(1_048_576),
      confirm: z.enum(['human', 'flag']).default('human'),
      scope: z
        .enum(['receipts', 'targets', 'all'])
        .default('receipts')
        .describe('The VMs that files may be recovered of.'),
      denyPaths: z.array(text).default([]),
      allowPaths: z.array(text).default([]),
    })
    .prefault({}),
  audit: z
    .strictObject({
      dir: text.nullable().default(null).describe("null: the user's state directory."),
      level: z.enum(['all', 'guarded']).default('all'),
      retentionDays: count
        .nullable()
        .default(null)
        .describe(
          'Whole files that ended so many days ago are removed (with a receipt: no sooner than after 30); null: nothing is.',
        ),
      maxFileMiB: z
        .number()
        .min(1)
        .max(4096)
        .default(64)
        .describe('A file that has grown so large is followed by the next.'),
      headEvery: z
        .number()
        .int()
        .min(1)
        .max(100_000)
        .default(256)
        .describe('A signed head stands behind so many records, and after a minute.'),
      headsTo: text
        .nullable()
        .default(null)
        .describe('A file that signed heads are appended to, best on another machine; null: they stay in the log.'),
      redact: z
        .strictObject({
          arguments: z
            .array(redactPattern)
            .max(100)
            .default([])
            .describe(
              'Names of arguments and members, also of nested ones, whose values are secrets; case does not matter.',
            ),
          words: z
            .array(redactPattern.superRefine(withinWord))
            .max(100)
            .default([])
            .describe('Words that are secrets wherever they stand in an argument.'),
        })
        .prefault({})
        .describe('What is secret beside what is found anyway. `*` stands for any text, `?` for one character.'),
    })
    .prefault({}),
  export: z
    .strictObject({ otlp: otlp.optional(), syslog: syslog.optional(), ocsf: ocsf.optional() })
    .prefault({})
    .describe('Where the audit log goes besides its directory; see docs/export.md.'),
});

/** A config file that was checked, defaults filled in. Secrets may stand in it: it never leaves this folder. */
export type ConfigFile = z.output<typeof configSchema>;
