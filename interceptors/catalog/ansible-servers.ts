import { type AnsibleArguments, adHoc, patternHosts, playbook, playbookHosts, surroundings } from '../ansible.js';
import type { RunArguments } from '../ansible-run.js';
import { byAction, fixed, judged, onHosts, reads, runs, server, unseen } from './notation.js';

const RENDERS = 'it renders templates of a file that is not seen';
const CONTROLLER = 'it changes the machine that runs ansible';

const CLOUD = 'region tags';
const TEXT: AnsibleArguments = {
  module: 'module',
  args: 'args',
  pattern: 'pattern',
  inventory: 'inventory',
  changing: ['extra_vars'],
};
const BOOK: AnsibleArguments = {
  playbook: 'playbook',
  limit: 'limit',
  inventory: 'inventory',
  changing: ['extraVars'],
};
const LIST: AnsibleArguments = { inventory: 'inventory' };
const IN_SHELL: RunArguments = { inventory: 'inventory', shell: true };

/** Its arguments are put into a shell's command line: signs of a shell count in all of them. */
const SYSOPERATOR = server(
  { name: 'sysoperator', from: 'github:tarnover/mcp-sysoperator@0.1.0', calls: 'mcp-sysoperator' },
  [
    onHosts(
      { ...IN_SHELL, playbook: 'playbook', limit: 'limit', extraVars: ['extraVars'] },
      judged('run_playbook', 'playbook extraVars:module_args inventory tags limit', (args) => playbook(args, BOOK), {
        hosts: (args) => playbookHosts(args, BOOK),
      }),
    ),
    onHosts(
      { ...IN_SHELL, pattern: 'pattern', extraVars: ['extra_vars'] },
      judged(
        'run_ad_hoc',
        'pattern:host_list module args:module_args inventory become extra_vars:module_args',
        (args) => adHoc(args, TEXT),
        {
          hosts: (args) => patternHosts(args, TEXT),
        },
      ),
    ),
    judged('list_inventory', 'inventory', (args) => [
      ...surroundings(args, LIST),
      fixed('list_inventory', 'read_only', 'lists the hosts of an inventory'),
    ]),
    unseen('check_syntax', 'playbook', RENDERS),
    unseen('list_tasks', 'playbook', RENDERS),
    reads('vault_encrypt_string', 'string:secret vault_id vault_password_file:unknown name', 'encrypts a text'),
    reads('vault_decrypt_string', 'string:secret vault_id vault_password_file:unknown', 'decrypts a text'),
    byAction(
      'aws_ec2',
      `action ${CLOUD} instanceIds filters instanceType imageId keyName securityGroups userData:content count waitForCompletion terminationProtection`,
      'action',
      'list',
      'create terminate start stop',
    ),
    byAction(
      'aws_s3',
      `action ${CLOUD} bucket objectKey localPath:local_path acl metadata contentType`,
      'action',
      'list_buckets list_objects',
      'create_bucket delete_bucket upload',
    ),
    byAction(
      'aws_vpc',
      `action ${CLOUD} vpcId cidrBlock name dnsSupport dnsHostnames subnets`,
      'action',
      'list',
      'create delete',
    ),
    byAction(
      'aws_cloudformation',
      `action ${CLOUD} stackName templateBody:content templateUrl parameters capabilities`,
      'action',
      'list',
      'create update delete',
    ),
    byAction(
      'aws_iam',
      'action region name roleName policyName policyDocument:content assumeRolePolicyDocument:content path managedPolicies',
      'action',
      'list_roles list_policies',
      'create_role create_policy delete_role delete_policy',
    ),
    byAction(
      'aws_rds',
      `action ${CLOUD} dbInstanceIdentifier dbEngine dbInstanceClass allocatedStorage masterUsername masterPassword:secret vpcSecurityGroupIds dbSubnetGroupName multiAZ backupRetentionPeriod skipFinalSnapshot`,
      'action',
      'list',
      'create delete start stop',
    ),
    byAction(
      'aws_route53',
      'action region zoneId zoneName recordName recordType recordTtl recordValue recordState comment',
      'action',
      'list_zones list_records',
      'create_zone create_record delete_record delete_zone',
    ),
    byAction(
      'aws_elb',
      `action ${CLOUD} name lbType scheme subnets securityGroups listeners healthCheck targetGroups`,
      'action',
      'list',
      'create delete',
    ),
    byAction(
      'aws_lambda',
      `action ${CLOUD} name zipFile:local_path s3Bucket s3Key functionCode:content runtime handler role description timeout memorySize environment:unknown payload:content`,
      'action',
      'list',
      'create update delete',
    ),
    unseen('aws_dynamic_inventory', 'region filters hostnames keyed_groups compose', 'it renders templates'),
    byAction(
      'terraform',
      'action workingDir varFiles vars autoApprove useLocalstack backendConfig state target lockTimeout refresh workspace',
      'action',
      'none',
      'apply destroy import init',
    ),
  ],
);

/** Its playbooks are named in free text. */
const ANSIBLE_TOOLS = server(
  { name: 'ansible-tools', from: 'npm:@ansible/ansible-mcp-server@26.6.0', calls: 'ansible-mcp-server' },
  [
    reads('zen_of_ansible', '', 'prints a text'),
    reads('ansible_content_best_practices', 'topic', 'prints a text'),
    reads('list_available_tools', '', 'lists tools'),
    reads('ade_environment_info', '', 'lists what is installed beside ansible'),
    unseen('ansible_lint', 'filePath:path fix', RENDERS),
    judged(
      'ansible_navigator',
      'userMessage:content filePath:playbook mode environment:unknown disableExecutionEnvironment',
      (args) => playbook(args, { playbook: 'filePath' }),
      {
        hosts: () => [{ value: '', argument: 'filePath' }],
      },
    ),
    unseen(
      'ade_setup_environment',
      'envName pythonVersion collections installRequirements requirementsFile:local_path osType osDistro packageManager',
      CONTROLLER,
    ),
    unseen('adt_check_env', '', CONTROLLER),
    unseen('create_ansible_projects', 'projectType namespace collectionName projectDirectory path', CONTROLLER),
    unseen(
      'define_and_build_execution_env',
      'baseImage tag destinationPath:local_path collections systemPackages pythonPackages generatedYaml:content',
      CONTROLLER,
    ),
  ],
);

const TASK: AnsibleArguments = {
  module: 'module',
  args: 'args',
  pattern: 'host_pattern',
  inventory: 'inventory',
  check: 'check',
  changing: ['env', 'connection', 'cwd'],
};
const FILE: AnsibleArguments = {
  playbook: 'playbook_path',
  limit: 'limit',
  inventory: 'inventory',
  check: 'check',
  changing: ['extra_vars', 'env', 'cwd', 'vars'],
};
const PROJECT = 'project_root ansible_cfg_path:unknown inventory_paths:inventory';
const WHERE: AnsibleArguments = {
  pattern: 'host_pattern',
  inventory: 'inventory_paths',
  changing: ['ansible_cfg_path'],
};
/** Its default inventory may be that of a project which it remembers by itself. */
const OF_PROJECT: RunArguments = {
  pattern: 'host_pattern',
  inventory: 'inventory_paths',
  unclear: ['project_root', 'ansible_cfg_path'],
  ownInventory: true,
};
const OF_CALL: RunArguments = { inventory: 'inventory', cwd: 'cwd', unclear: ['env', 'project'], ownInventory: true };
const OF_BOOK: RunArguments = {
  ...OF_CALL,
  playbook: 'playbook_path',
  limit: 'limit',
  extraVars: ['extra_vars', 'vars'],
};
const file = { hosts: (args: Readonly<Record<string, unknown>>) => playbookHosts(args, FILE) };

/** It starts ansible without a shell. */
const ANSIBLE_MCP = server({ name: 'ansible-mcp', from: 'github:bsahane/mcp-ansible@7d0253b', calls: 'ansible-mcp' }, [
  onHosts(
    OF_PROJECT,
    judged('ansible-ping', `host_pattern:host_list ${PROJECT} verbose`, (args) => ask('ping', args), {
      hosts: (args) => patternHosts(args, WHERE),
    }),
  ),
  onHosts(
    OF_PROJECT,
    judged(
      'ansible-gather-facts',
      `host_pattern:host_list ${PROJECT} filter gather_subset verbose`,
      (args) => ask('setup', args),
      {
        hosts: (args) => patternHosts(args, WHERE),
      },
    ),
  ),
  onHosts(
    { ...OF_CALL, pattern: 'host_pattern', connection: 'connection' },
    judged(
      'ansible-task',
      'host_pattern:host_list module args:module_args inventory become become_user check diff cwd verbose connection env:unknown',
      (args) => adHoc(args, TASK),
      {
        direct: new Set(['args']),
        hosts: (args) => patternHosts(args, TASK),
      },
    ),
  ),
  onHosts(
    OF_BOOK,
    judged(
      'ansible-playbook',
      'playbook_path:playbook inventory extra_vars:module_args tags skip_tags limit cwd check diff verbose env:unknown',
      (args) => playbook(args, FILE),
      file,
    ),
  ),
  onHosts(
    OF_BOOK,
    judged(
      'project-run-playbook',
      'playbook_path:playbook project extra_vars:module_args tags skip_tags limit check diff verbose',
      (args) => playbook(args, FILE),
      file,
    ),
  ),
  onHosts(
    { ...OF_CALL, pattern: 'hosts', unclear: ['env', 'role_name'] },
    judged(
      'ansible-role',
      'role_name hosts:host_list inventory vars:module_args cwd check diff verbose env:unknown',
      () => [fixed('ansible-role', 'unknown', 'the role is not seen')],
      {
        hosts: (args) => patternHosts(args, { pattern: 'hosts' }),
      },
    ),
  ),
  onHosts(OF_PROJECT, runs('ansible-remote-command', `host_pattern:host_list command ${PROJECT} become timeout`)),
  judged('ansible-inventory', 'inventory include_hostvars cwd env:unknown', (args) => [
    ...surroundings(args, { ...LIST, changing: ['cwd'] }),
    fixed('ansible-inventory', 'read_only', 'lists the hosts of an inventory'),
  ]),
  reads('list-projects', '', 'lists projects'),
  reads('project-playbooks', 'project', 'lists playbooks'),
  onHosts(
    OF_PROJECT,
    byAction(
      'ansible-service-manager',
      `host_pattern:host_list service_name action ${PROJECT} check_logs`,
      'action',
      'status',
      'start stop restart reload enable disable',
    ),
  ),
  unseen('validate-playbook', 'playbook_path:playbook inventory cwd', RENDERS),
  onHosts(
    { ...OF_PROJECT, pattern: 'playbook_path', unclear: ['playbook_path'] },
    judged(
      'ansible-test-idempotence',
      `playbook_path:playbook ${PROJECT} extra_vars:module_args verbose`,
      () => [fixed('ansible-test-idempotence', 'mutating', 'runs the playbook twice')],
      file,
    ),
  ),
]);

function ask(module: string, args: Readonly<Record<string, unknown>>) {
  return [...surroundings(args, WHERE), fixed(module, 'read_only', 'the module only reads')];
}

export const ANSIBLE_CATALOGS = [SYSOPERATOR, ANSIBLE_TOOLS, ANSIBLE_MCP];
