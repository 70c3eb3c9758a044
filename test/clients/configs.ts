import type { Layout } from '../../src/clients/places.js';

/** A config of a client in an odd dress. `wrapped`: the paths of the servers that install has to wrap. */
export interface Config {
  readonly title: string;
  readonly layout: Layout;
  readonly text: string;
  readonly wrapped: readonly (readonly string[])[];
}

const json = (title: string, text: string, ...names: readonly string[]): Config => ({
  title,
  layout: 'mcpServers',
  text,
  wrapped: names.map((name) => ['mcpServers', name]),
});
const other = (title: string, layout: Layout, text: string, ...wrapped: readonly (readonly string[])[]): Config => {
  return { title, layout, text, wrapped };
};
const toml = (title: string, text: string, ...names: readonly string[]): Config => {
  return { title, layout: 'codex', text, wrapped: names.map((name) => ['mcp_servers', name]) };
};

const HISTORY = Array.from({ length: 20_000 }, (_, n) => ({ display: `question ${n} about "ssh" and ünïcode` }));

/** Every one of the project's own making. */
export const CONFIGS: readonly Config[] = [
  json(
    'two spaces, a remote one, env',
    `{
  "globalShortcut": "",
  "mcpServers": {
    "ssh": { "command": "npx", "args": ["-y", "ssh-mcp@2.11.0", "--host=10.0.0.5"], "env": { "SSH_PASSWORD": "hunter2" } },
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/.ssh", "/srv/ansible"] },
    "far-ssh": { "type": "http", "url": "https://far.example/mcp", "headers": { "Authorization": "Bearer hunter2" } }
  }
}
`,
    'ssh',
  ),
  json(
    'tabs and one word a line',
    '{\n\t"mcpServers": {\n\t\t"prod-ssh": {\n\t\t\t"command": "npx",\n\t\t\t"args": [\n\t\t\t\t"-y",\n\t\t\t\t"ssh-mcp"\n\t\t\t]\n\t\t}\n\t}\n}',
    'prod-ssh',
  ),
  json(
    'comments everywhere',
    `// mine
{ /* a */ "mcpServers" /* b */ : { // c
  "ssh" /* d */ : /* e */ { /* f */ "command" /* g */ : /* h */ "npx" /* i */ , // j
    "args" : [ // the package
      /* k */ "-y", // yes
      // "--verbose",
      "ssh-mcp" // last
      /* l */ ] /* m */ } /* n */ } /* o */ }
// end`,
    'ssh',
  ),
  json(
    'trailing commas',
    '{\n  "mcpServers": {\n    "a-ssh": { "command": "ssh-mcp", "args": ["--x", ], },\n    "b-ssh": { "command": "ssh-mcp", "args": [ "--x" , ] , },\n  },\n}\n',
    'a-ssh',
    'b-ssh',
  ),
  json(
    'BOM and CRLF',
    '\uFEFF{\r\n  "mcpServers": {\r\n    "ssh": {\r\n      "args": [\r\n        "-y",\r\n        "ssh-mcp"\r\n      ],\r\n      "command": "npx"\r\n    }\r\n  }\r\n}\r\n',
    'ssh',
  ),
  json(
    'CRLF without args',
    '{\r\n  "mcpServers": {\r\n    "ssh": {\r\n      "command": "ssh-mcp"\r\n    }\r\n  }\r\n}\r\n',
    'ssh',
  ),
  json('one line', '{"mcpServers":{"ssh":{"command":"npx","args":["-y","ssh-mcp"]},"x":{"command":"true"}}}', 'ssh'),
  json('one line without args', '{"mcpServers":{"ssh":{"command":"ssh-mcp"}}}', 'ssh'),
  json(
    'no args, more behind',
    '{"mcpServers":{"ssh":{"command" : "ssh-mcp" , "env":{"A":"args"},"disabled":true}}}',
    'ssh',
  ),
  json(
    'empty args',
    '{"mcpServers":{"ssh":{"command":"ssh-mcp","args":[]},"ssh2":{"command":"ssh-mcp","args":[ \n ]}}}',
    'ssh',
    'ssh2',
  ),
  json('a comment as args', '{"mcpServers":{"ssh":{"command":"ssh-mcp","args":[ /* none */ ]}}}', 'ssh'),
  json(
    'unicode',
    '{"mcpServers":{"сервер-ssh":{"command":"/opt/прога/ssh-mcp","args":["--имя","日本語 🚀","\\u0041\\ud83d\\ude80"]},"ｓｓｈ":{"command":"x","args":["é"]}}}',
    'сервер-ssh',
    'ｓｓｈ',
  ),
  json(
    'escapes in the command',
    '{"mcpServers":{"ssh":{"comm\\u0061nd":"n\\u0070x","args":["\\u002dy","ssh-mcp","a\\/b\\tc"]}}}',
    'ssh',
  ),
  json(
    'strange names',
    '{"mcpServers":{"constructor":{"command":"ansible-mcp","args":["x"]},"":{"command":"ssh-mcp"},"a.b/ssh [1]":{"command":"x"}}}',
    'constructor',
    '',
    'a.b/ssh [1]',
  ),
  json(
    'windows',
    '{\r\n "mcpServers": {\r\n  "winrm": { "command": "cmd", "args": ["/c", "npx", "-y", "winrm-mcp"] },\r\n  "srv": { "command": "C:\\\\Tools\\\\ssh-mcp.exe", "args": ["--key", "C:\\\\Users\\\\me\\\\.ssh\\\\id"] }\r\n }\r\n}',
    'winrm',
    'srv',
  ),
  json(
    'by package',
    '{"mcpServers":{"prod":{"command":"uvx","args":["--from","git+https://u:hunter2@x.example/a/ansible-mcp.git@v1","run"]},"box":{"command":"docker","args":["run","-i","--rm","-e","HOST","-v","/srv/ssh:/x","ghcr.io/acme/mcp-ssh:1.2"]},"app":{"command":"docker","args":["run","-v","/srv/ssh:/x","--name","ssh","acme/weather"]}}}',
    'prod',
    'box',
  ),
  json(
    'by tools',
    '{"mcpServers":{"prod":{"command":"/opt/x/server","args":["/srv/ansible"],"autoApprove":["ssh_execute"]},"none":{"command":"/opt/ssh/server","args":["ssh"],"autoApprove":["read_file"]}}}',
    'prod',
  ),
  json(
    'by tools, Gemini',
    '{\n  "theme": "Dark",\n  "mcpServers": {\n    "prod": { "command": "server", "includeTools": ["run_playbook"], "trust": false, "timeout": 600000 }\n  }\n}\n',
    'prod',
  ),
  json(
    'nothing for the proxy',
    '{"mcpServers":{"files":{"command":"npx","args":["@modelcontextprotocol/server-filesystem","/home/ssh"]},"business-hub":{"command":"glasshub"}}}',
  ),
  json('no servers', '{\n  "theme": "dark" // of ssh\n}\n'),
  json(
    'servers that are none',
    '{"mcpServers":{"ssh":null,"ssh2":"npx ssh-mcp","ssh3":[],"ssh4":{},"ssh5":{"command":["npx"],"args":["x"]},"ssh6":{"command":7},"ssh7":{"command":"x","args":"y"},"ssh8":{"command":"x","args":["y",1]},"ssh9":{"command":"npx -y ssh-mcp"}}}',
  ),
  json('an empty file', ''),
  json('blank', ' \r\n\t\n'),
  json('an empty object', '{}'),
  json('empty servers', '{"mcpServers":{}}'),
  json(
    'an old Mac’s line ends',
    '{\r  "mcpServers": {\r    "ssh": {\r      "command": "ssh-mcp",\r      "args": [\r        "a",\r        "b"\r      ]\r    }\r  }\r}\r',
    'ssh',
  ),
  json(
    'a word a line, no space',
    '{"mcpServers":\n{"ssh":\n{"command":\n"npx",\n"args":\n[\n"-y"\n,\n"ssh-mcp"\n]\n}\n}\n}',
    'ssh',
  ),
  other(
    'Claude Code with projects',
    'claude',
    `${JSON.stringify(
      {
        numStartups: 12,
        mcpServers: { ssh: { type: 'stdio', command: 'npx', args: ['-y', 'ssh-mcp'], env: {} } },
        projects: {
          '/srv/app': { mcpServers: { ansible: { command: 'ansible-mcp', args: [] } }, history: HISTORY },
          'C:\\work': { mcpServers: {} },
          '/srv/none': { allowedTools: [] },
        },
      },
      undefined,
      2,
    )}\n`,
    ['mcpServers', 'ssh'],
    ['projects', '/srv/app', 'mcpServers', 'ansible'],
  ),
  other(
    'VS Code',
    'servers',
    '{\n\t// servers of this workspace\n\t"inputs": [{ "id": "pw", "type": "promptString", "password": true }],\n\t"servers": {\n\t\t"ssh": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "npx",\n\t\t\t"args": ["-y", "ssh-mcp", "--password=$\u007binput:pw}"],\n\t\t},\n\t},\n\t"mcpServers": { "ssh": { "command": "ssh-mcp" } },\n}\n',
    ['servers', 'ssh'],
  ),
  other(
    'OpenCode',
    'mcp',
    '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    "ssh": {\n      "type": "local",\n      "command": ["npx", "-y", "ssh-mcp"],\n      "enabled": true,\n      "environment": { "A": "hunter2" }\n    },\n    "far-ssh": { "type": "remote", "url": "https://x.example" }\n  }\n}\n',
    ['mcp', 'ssh'],
  ),
  other(
    'OpenCode, one word a line with comments',
    'mcp',
    '{ "mcp": { "ssh": { "type": "local", "command": [ // starts it\n      "npx",\n      "ssh-mcp", // the package\n    ], }, }, }',
    ['mcp', 'ssh'],
  ),
  other(
    'OpenCode 2',
    'mcp',
    '{"mcp":{"timeout":5000,"servers":{"ssh":{"type":"local","command":["ssh-mcp"],"disabled":true},"x":{"type":"local","command":["true"]}}}}',
    ['mcp', 'servers', 'ssh'],
  ),
  other(
    'OpenCode with a server called servers',
    'mcp',
    '{"mcp":{"servers":{"type":"local","command":["ssh-mcp"]},"ansible":{"type":"local","command":["a"]}}}',
    ['mcp', 'servers'],
    ['mcp', 'ansible'],
  ),
  other('OpenCode with a text and args', 'mcp', '{"mcp":{"ssh":{"command":"npx","args":["ssh-mcp"]}}}', ['mcp', 'ssh']),
  toml(
    'TOML',
    '# my config\nmodel = "o9"\n\n[mcp_servers.ssh]\ncommand = "npx"\nargs = ["-y", "ssh-mcp"]\nstartup_timeout_sec = 20\n\n[mcp_servers.ssh.env]\nSSH_PASSWORD = "hunter2" # not args = ["x"]\n\n[mcp_servers.files]\ncommand = "npx"\nargs = ["files", "/srv/ssh"]\n',
    'ssh',
  ),
  toml(
    'TOML, many lines and comments, CRLF',
    '[mcp_servers.ssh]\r\nargs = [ # what it gets\r\n  "-y", # yes\r\n  # "--debug",\r\n  \'ssh-mcp\',\r\n]\r\ncommand = \'npx\' # node\r\n',
    'ssh',
  ),
  toml(
    'TOML with dotted keys',
    'mcp_servers.ssh.command = "npx"\nmcp_servers.ssh.args = ["ssh-mcp"]\nmcp_servers . "an ssible" . command = "ansible-mcp"\n[x]\ny = 1979-05-27 07:32:00\n',
    'ssh',
    'an ssible',
  ),
  toml(
    'TOML with inline tables',
    'a = { b = [1, { c = "]" }] }\n[mcp_servers]\nssh = { command = "npx", args = ["ssh-mcp"], env = { A = "{" } }\n"ssh.2" = { env = { A = "x" }, command = \'ssh-mcp\' }\n',
    'ssh',
    'ssh.2',
  ),
  toml('TOML as one inline table', "mcp_servers = { 'ssh' = { args = [], command = 'ssh-mcp' } }", 'ssh'),
  toml(
    'TOML with quoted keys and literal texts',
    '[ mcp_servers . "my ssh" ]\n  "command" = \'C:\\Tools\\ssh-mcp.exe\'\n  \'args\' = [\'C:\\key\', "a\\"b", """\nmulti]""", \'\'\'x\'y\'\'\']\n',
    'my ssh',
  ),
  toml('TOML without args', '[mcp_servers.ssh]\n\tcommand = "ssh-mcp" # only this\n\n[other]\nargs = ["x"]\n', 'ssh'),
  toml('TOML without args and without an end of line', '[mcp_servers.ssh]\r\ncommand = """ssh-mcp"""', 'ssh'),
  toml(
    'TOML, BOM, arrays of tables',
    '\uFEFF[[mcp_servers_x.ssh]]\ncommand = "no"\n\n[[mcp_servers_x.ssh]]\ncommand = "no"\n[mcp_servers.ssh]\ncommand = "ssh-mcp"\nargs = [\n\t"a"\n\t,\n\t"b"\n]\n',
    'ssh',
  ),
  toml(
    'TOML by tools',
    '[mcp_servers.prod]\ncommand = "server"\nenabled_tools = ["ssh_exec", "x"]\n[mcp_servers.far-ssh]\nurl = "https://x.example"\nbearer_token_env_var = "T"\n',
    'prod',
  ),
  toml(
    'TOML, long texts and numbers',
    'a = """"x"" """\nb = \'\'\'\n[mcp_servers.no]\'\'\'\nc = [1, 0x1F, 1e3, nan, true, 9223372036854775807]\n[mcp_servers.ssh]\ncommand = "ssh-mcp"\nargs = ["--port", "22"]',
    'ssh',
  ),
  toml('TOML without servers', 'model = "x"\n[mcp]\nssh = 1\n'),
];

/** Files that are left alone, and where the fault stands. */
export const MALFORMED: readonly {
  readonly title: string;
  readonly layout: Layout;
  readonly text: string;
  readonly at: readonly [number, number];
}[] = [
  {
    title: 'a missing comma',
    layout: 'mcpServers',
    text: '{\n  "mcpServers": {\n    "ssh": { "command": "hunter2" "args": [] }\n  }\n}',
    at: [3, 35],
  },
  { title: 'no end', layout: 'mcpServers', text: '{"mcpServers":{"ssh":{"command":"ssh-mcp"}}', at: [1, 44] },
  {
    title: 'a server twice',
    layout: 'mcpServers',
    text: '{"mcpServers":{\r\n"ssh":{"command":"a"},\r\n"ssh":{"command":"b"}}}',
    at: [3, 1],
  },
  {
    title: 'the servers twice, once with an escape',
    layout: 'mcpServers',
    text: '{"mcpServers":{},\n "mcp\\u0053ervers":{"ssh":{"command":"b"}}}',
    at: [2, 2],
  },
  {
    title: 'a variable twice',
    layout: 'servers',
    text: '{"servers":{"ssh":{"command":"a","env":{"A":"hunter2","A":"1"}}}}',
    at: [1, 55],
  },
  { title: 'two values', layout: 'mcpServers', text: '{"mcpServers":{}} {}', at: [1, 19] },
  { title: 'a list', layout: 'mcpServers', text: '\n[]', at: [2, 1] },
  { title: 'servers as a list', layout: 'mcpServers', text: '{"mcpServers": [{"command":"ssh"}]}', at: [1, 16] },
  { title: 'a very deep one', layout: 'mcpServers', text: '['.repeat(200_000), at: [1, 1] },
  {
    title: 'TOML: a table twice',
    layout: 'codex',
    text: '[mcp_servers.ssh]\ncommand = "a"\n[mcp_servers.ssh]\ncommand = "hunter2"\n',
    at: [3, 2],
  },
  {
    title: 'TOML: a key twice',
    layout: 'codex',
    text: '[mcp_servers.ssh]\ncommand = "hunter2"\ncommand = "b"\n',
    at: [3, 1],
  },
  { title: 'TOML: no quote', layout: 'codex', text: '[mcp_servers.ssh]\ncommand = hunter2\n', at: [2, 11] },
  { title: 'TOML: servers as a text', layout: 'codex', text: 'a = 1\nmcp_servers = "ssh"\n', at: [2, 1] },
];
