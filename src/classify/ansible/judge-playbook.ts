import type { Finding } from '../../domain/assessment.js';
import { elsewhere, isOnController } from './controller.js';
import { checkMode, doubt, isRecord, judgeTasks, keywordFindings, type Scope } from './judge-task.js';
import { readYaml } from './read-yaml.js';
import type { JudgeCommand } from './ruling.js';

const TASKS: readonly string[] = ['pre_tasks', 'tasks', 'post_tasks', 'handlers'];

/** The findings for the text of a playbook: those of every play, task and handler in it. What it only names is not seen, and nothing is rendered. */
export function judgePlaybook(source: string, check: boolean, judge: JudgeCommand): readonly Finding[] {
  const yaml = readYaml(source);
  if (yaml.kind === 'unreadable') return [doubt('playbook', yaml.why)];
  return yaml.documents.flatMap((document) =>
    Array.isArray(document)
      ? document.flatMap((each: unknown) => judgePlay(each, { check, depth: 0, judge }))
      : [doubt('playbook', 'it is no list of plays')],
  );
}

function judgePlay(play: unknown, outer: Scope): readonly Finding[] {
  if (!isRecord(play)) return [doubt('playbook', 'a play is no mapping')];
  const scope = { ...outer, check: checkMode(play['check_mode'], outer.check) };
  const entries = Object.entries(play);
  const keywords = keywordFindings(
    entries.filter(([name]) => !TASKS.includes(name)),
    'play',
  );
  const tasks = entries.filter(([name]) => TASKS.includes(name)).flatMap(([, list]) => judgeTasks(list, scope));
  const facts: readonly Finding[] =
    play['gather_facts'] === false
      ? [{ effect: 'read_only', subject: 'play', why: 'connects to its hosts' }]
      : [{ effect: 'read_only', subject: 'gather_facts', why: 'the module only reads' }];
  return [
    ...facts,
    ...keywords,
    ...(isOnController(play) ? elsewhere(tasks) : tasks),
    ...(play['hosts'] === undefined ? [doubt('hosts', 'the play names no hosts')] : []),
  ];
}
