import { taskState } from '../insert.js';
import type { SimTask, TaskType } from '../state.js';
import { dateQuery, type Exchange, type Handler, matches, no, ok } from './exchange.js';
import { link, related, siteLink, vpgLink } from './links.js';
import { Moment } from './render.js';

/** The tasks that leave an event, by the event's number and name. */
const KINDS: Partial<Record<TaskType, { readonly number: number; readonly text: string }>> = {
  InsertTaggedCP: { number: 12, text: 'Insert user defined checkpoint' },
  FlrJournalMount: { number: 58, text: 'Mount for file level restore' },
  FlrJournalUnmount: { number: 59, text: 'Unmount for file level restore' },
};

/** What users did at this site, as the appliance itself recorded it when it ended. */
export const listEvents: Handler = (exchange) => {
  const start = dateQuery(exchange, 'startDate') ?? Number.NEGATIVE_INFINITY;
  const end = dateQuery(exchange, 'endDate') ?? Number.POSITIVE_INFINITY;
  const chosen = ended(exchange).filter(
    (task) =>
      task.completes >= start &&
      task.completes <= end &&
      matches(exchange, 'vpgIdentifier', task.vpg.vpgIdentifier) &&
      matches(exchange, 'vpg', task.vpg.name) &&
      matches(exchange, 'siteIdentifier', task.vpg.protectedSite.siteIdentifier) &&
      matches(exchange, 'eventType', KINDS[task.type]?.number, task.type) &&
      matches(exchange, 'userName', task.by),
  );
  return ok(chosen.map((task) => eventRow(exchange, task)));
};

export const getEvent: Handler = (exchange) => {
  const task = ended(exchange).find((other) => eventId(other) === exchange.params[0]?.toLowerCase());
  return task === undefined ? no(404, 'The event was not found.') : ok(eventRow(exchange, task));
};

function ended({ world, site, now }: Exchange): SimTask[] {
  return world.tasks.filter((task) => task.site === site && task.completes <= now && KINDS[task.type] !== undefined);
}

function eventId(task: SimTask): string {
  return task.taskIdentifier.slice(0, 36);
}

function eventRow(exchange: Exchange, task: SimTask) {
  const kind = KINDS[task.type];
  return {
    EventIdentifier: eventId(task),
    Description: `${kind?.text}: ${task.detail}. VPG ${task.vpg.name}.`,
    OccurredOn: new Moment(task.completes),
    EventType: kind?.number,
    HelpLink: null,
    EventCompletedSuccessfully: taskState(task, exchange.now).state === 6,
    EntityType: 0,
    EventCategory: 'Events',
    UserName: task.by,
    RelatedEntities: { ...related(exchange, task), Zorgs: [], Alerts: [], Repositories: [] },
    Link: link(exchange, `events/${eventId(task)}`, eventId(task), 'EventApi'),
  };
}

export const listAlerts: Handler = (exchange) => {
  const chosen = exchange.world.alerts.filter(
    (alert) =>
      alert.site === exchange.site &&
      matches(exchange, 'level', alert.level) &&
      matches(exchange, 'entity', alert.entity) &&
      matches(exchange, 'helpIdentifier', alert.helpIdentifier) &&
      matches(exchange, 'isDismissed', 'false') &&
      matches(exchange, 'vpgIdentifier', ...alert.vpgs.map(({ vpgIdentifier }) => vpgIdentifier)),
  );
  return ok(
    chosen.map((alert) => ({
      Link: link(exchange, `alerts/${alert.alertIdentifier}`, alert.alertIdentifier, 'AlertApi'),
      Level: alert.level,
      Entity: alert.entity,
      IsDismissed: false,
      HelpIdentifier: alert.helpIdentifier,
      Site: siteLink(exchange, alert.site),
      Description: alert.description,
      TurnedOn: new Moment(alert.turnedOn),
      AffectedVpgs: alert.vpgs.map((vpg) => vpgLink(exchange, vpg)),
      AffectedZorgs: [],
      Generation: 0,
    })),
  );
};
