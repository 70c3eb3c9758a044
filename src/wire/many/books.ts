import { ListBook } from '../list-book.js';
import { isRecord, record } from '../relay-peers.js';
import { ToolBook } from '../relay-tools.js';

/** A list that servers have: where its items stand in a result, what names one, and the capability it comes with. */
export interface ListKind {
  readonly method: string;
  readonly items: string;
  readonly key: string;
  readonly capability: string;
  /** The notification by which a server says that the list has changed. */
  readonly changed: string | undefined;
  /** What to call an item of which there must not be two. */
  readonly unique?: string;
}

const RESOURCES_CHANGED = 'notifications/resources/list_changed';

/** Every list that goes through all servers. */
export const LISTS = {
  tools: {
    method: 'tools/list',
    items: 'tools',
    key: 'name',
    capability: 'tools',
    changed: 'notifications/tools/list_changed',
    unique: 'tool',
  },
  prompts: {
    method: 'prompts/list',
    items: 'prompts',
    key: 'name',
    capability: 'prompts',
    changed: 'notifications/prompts/list_changed',
    unique: 'prompt',
  },
  resources: {
    method: 'resources/list',
    items: 'resources',
    key: 'uri',
    capability: 'resources',
    changed: RESOURCES_CHANGED,
  },
  templates: {
    method: 'resources/templates/list',
    items: 'resourceTemplates',
    key: 'uriTemplate',
    capability: 'resources',
    changed: RESOURCES_CHANGED,
  },
  tasks: { method: 'tasks/list', items: 'tasks', key: 'taskId', capability: 'tasks', changed: undefined },
} as const satisfies Record<string, ListKind>;
export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[];

/** What one server's newest lists said. */
export class Books {
  readonly tools = new ToolBook();
  readonly prompts = keyBook(LISTS.prompts);
  readonly resources = keyBook(LISTS.resources);
  readonly templates = keyBook(LISTS.templates);
  readonly tasks = keyBook(LISTS.tasks);

  /** Takes in a notification that a list has changed. */
  note(method: string): void {
    for (const list of LIST_NAMES) if (LISTS[list].changed === method) this[list].changed();
  }

  changed(): void {
    for (const list of LIST_NAMES) this[list].changed();
  }
}

function keyBook({ items, key }: ListKind): ListBook<{ readonly name: string }> {
  return new ListBook((result) => {
    const list = record(result)[items];
    if (!Array.isArray(list)) return [];
    return list.flatMap((item: unknown) => {
      const name = isRecord(item) ? item[key] : undefined;
      return typeof name === 'string' ? [{ name }] : [];
    });
  });
}
