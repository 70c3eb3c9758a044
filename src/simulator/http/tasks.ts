import { taskState } from '../insert.js';
import type { SimTask } from '../state.js';
import { dateQuery, type Exchange, type Handler, matches, no, ok } from './exchange.js';
import { link, related } from './links.js';
import { Moment } from './render.js';

const STATES = [
  'FirstUnusedValue',
  'InProgress',
  'WaitingForUserInput',
  'Paused',
  'Failed',
  'Stopped',
  'Completed',
  'Cancelling',
];

export const getTask: Handler = (exchange) => {
  const identifier = exchange.params[0]?.toLowerCase();
  const task = tasksHere(exchange).find((other) => other.taskIdentifier === identifier);
  return task === undefined ? no(404, 'The task was not found.') : ok(taskRow(exchange, task));
};

export const listTasks: Handler = (exchange) => {
  const bounds = {
    startedAfter: dateQuery(exchange, 'startedAfterDate') ?? Number.NEGATIVE_INFINITY,
    startedBefore: dateQuery(exchange, 'startedBeforeDate') ?? Number.POSITIVE_INFINITY,
    completedAfter: dateQuery(exchange, 'completedAfterDate'),
    completedBefore: dateQuery(exchange, 'completedBeforeDate'),
  };
  const chosen = tasksHere(exchange).filter((task) => {
    const { state, completed } = taskState(task, exchange.now);
    const inTime = task.started >= bounds.startedAfter && task.started <= bounds.startedBefore;
    return (
      inTime &&
      completedWithin(completed, bounds) &&
      matches(exchange, 'type', task.type) &&
      matches(exchange, 'status', state, STATES[state])
    );
  });
  return ok(chosen.map((task) => taskRow(exchange, task)));
};

function completedWithin(
  completed: number | undefined,
  { completedAfter, completedBefore }: { completedAfter: number | undefined; completedBefore: number | undefined },
): boolean {
  if (completedAfter === undefined && completedBefore === undefined) return true;
  if (completed === undefined) return false;
  return (
    completed >= (completedAfter ?? Number.NEGATIVE_INFINITY) &&
    completed <= (completedBefore ?? Number.POSITIVE_INFINITY)
  );
}

function tasksHere({ world, site }: Exchange): SimTask[] {
  return world.tasks.filter((task) => task.site === site);
}

function taskRow(exchange: Exchange, task: SimTask) {
  const { state, progress, completed } = taskState(task, exchange.now);
  return {
    TaskIdentifier: task.taskIdentifier,
    Type: task.type,
    Status: { State: state, Progress: progress },
    InitiatedBy: task.by,
    Started: new Moment(task.started),
    Completed: completed === undefined ? null : new Moment(completed),
    CompleteReason: state === 4 ? (task.failure ?? '') : '',
    IsCancellable: false,
    Generation: 0,
    RelatedEntities: related(exchange, task),
    Link: link(exchange, `tasks/${task.taskIdentifier}`, task.taskIdentifier, 'TaskApi'),
  };
}

export const taskTypeNames: Handler = () =>
  ok([
    'InsertTaggedCP',
    'FlrJournalMount',
    'FlrJournalUnmount',
    'FailOverTest',
    'StopFailOverTest',
    'PauseProtectionGroup',
    'ResumeProtectionGroup',
    'ForceSync',
  ]);
