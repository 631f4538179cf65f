import { TEST_EVENT } from '../../generated/webhooks.ts';
import { liveId } from '../domain/ids.ts';
import type { Parts } from '../parts.ts';
import { presentInstant } from '../present/instant.ts';

/** The format of instants in the contract's examples. */
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

/**
 * The body of a test event: an example from the contract, dated now, with a new event ID and this server's links. Its
 * ride does not exist.
 */
export function testEventBody(
  { randomBytes, publicUrl }: Pick<Parts, 'randomBytes' | 'publicUrl'>,
  realNow: number,
): string {
  const { server, body } = TEST_EVENT;
  const laterByMs = realNow - Date.parse(body.occurred_at);
  const event = { ...body, event_id: liveId(realNow, randomBytes(16)) };
  return JSON.stringify(event, (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (INSTANT.test(value)) return presentInstant(Date.parse(value) + laterByMs);
    return value.startsWith(server) ? publicUrl + value.slice(server.length) : value;
  });
}
