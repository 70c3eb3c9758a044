import type { NotificationMessage, ResponseMessage } from '../message.js';
import { record } from '../relay-peers.js';
import type { Link } from './link.js';

/** Beyond this the oldest are forgotten; what belongs to them is then asked of every server in turn. */
const MAX_TASKS = 10_000;

/** Which server made each task. */
export class TaskOwners {
  readonly #owners = new Map<string, ReadonlySet<Link>>();

  /** A response that may carry a task: of revision 2025-11-25 under `task`, of the extension at the top. */
  note(link: Link, response: ResponseMessage): void {
    if (response.isError || !response.raw.includes('taskId')) return;
    const result = record(response.result);
    this.add(link, record(result['task'])['taskId'] ?? result['taskId']);
  }

  notification(link: Link, { method, params }: NotificationMessage): void {
    if (method.startsWith('notifications/tasks')) this.add(link, record(params)['taskId']);
  }

  add(link: Link, taskId: unknown): void {
    if (typeof taskId !== 'string') return;
    this.#owners.set(taskId, new Set([...(this.#owners.get(taskId) ?? []), link]));
    const [oldest] = this.#owners.keys();
    if (this.#owners.size > MAX_TASKS && oldest !== undefined) this.#owners.delete(oldest);
  }

  /** More than one where two servers gave the same id to a task. */
  of(taskId: unknown): readonly Link[] {
    return typeof taskId === 'string' ? [...(this.#owners.get(taskId) ?? [])] : [];
  }
}
