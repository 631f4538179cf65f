import { type Environment, FIELDS, type OwnApplication } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import type { Parts } from '../parts.ts';
import type { SendTestEvent, TestEventOutcome } from '../webhooks/delivery/test-event.ts';
import { type By, changeOwn } from './by.ts';
import { note } from './log.ts';

type Standing = object | { readonly waitSeconds: number };

interface TestParts extends Pick<Parts, 'store'> {
  readonly send: SendTestEvent;
  /** Counts a test event. If there were too many, returns how long to wait. */
  readonly count: (application: OwnApplication) => Standing | Promise<Standing>;
}

/**
 * Sends a test event to one of an application's webhook URLs, and records it in the log. Throws Refusal `bad_parameter`
 * without a URL, `not_found`, and `rate_limit_exceeded` while too many are in progress.
 */
export function testWebhook({ store, send, count }: TestParts) {
  return async (by: By, id: string, environment: Environment) => {
    const application = await changeOwn(store, by, id, async (_tx, own) => own);
    const tell = (result: 'delivered' | 'failed' | 'slowed_down') =>
      by.audit({
        ...{ event: 'test_event_sent', result, application: id, developer: by.developerId },
        world: environment === 'live' ? LIVE_WORLD.id : application.sandboxWorldId,
      });
    if (application[FIELDS[environment].webhookUrl] === null)
      throw new Refusal('bad_parameter', 'Set a webhook URL before you send a test event.');
    const counted = await count(application);
    if ('waitSeconds' in counted) {
      tell('slowed_down');
      const { waitSeconds } = counted;
      const sentence = `Too many test events. Wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}, then try again.`;
      return { waitSeconds, refusal: new Refusal('rate_limit_exceeded', sentence) };
    }
    const outcome = await send(application, environment);
    // audited first, because the application may have been transferred or deleted in the meantime
    tell(outcome.delivered ? 'delivered' : 'failed');
    const detail = `${environment}: ${resultOf(outcome)}`;
    await changeOwn(store, by, id, (tx) => note(tx, id, by, { action: 'test_event_sent', detail }));
    return outcome;
  };
}

function resultOf({ status }: TestEventOutcome): string {
  return status === null ? 'no response' : `status ${status}`;
}
