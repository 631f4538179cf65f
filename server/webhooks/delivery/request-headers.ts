import type { WebhookEventRow } from '../../store/webhook-rows.ts';
import { type Signed, signatureHeaders } from './signature.ts';

const USER_AGENT = 'ridehail-webhooks/1';

/** What differs between the attempts of an event. Contains no secret, so it is stored with the attempt. */
export interface Sent extends Signed {
  /** The host and port of the URL at the time. */
  readonly host: string;
  /** Identifies the attempt's span; absent without tracing. */
  readonly traceparent?: string | undefined;
}

type Message = Pick<WebhookEventRow, 'eventId' | 'body' | 'environment'>;

/** All headers of an attempt. What sends it and what shows it later both call this, so the page cannot differ from the request. */
export function requestHeaders({ eventId, body, environment }: Message, sent: Sent): Record<string, string> {
  return {
    Host: sent.host,
    Connection: 'keep-alive',
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'Svc-Environment': environment,
    ...signatureHeaders(eventId, sent),
    ...(sent.traceparent !== undefined && { traceparent: sent.traceparent }),
    'Content-Length': String(Buffer.byteLength(body)),
  };
}

/** The stored form, 130 bytes for most attempts: no part contains a space or a comma. */
export function sentText({ host, timestamp, signatures, standard, traceparent }: Sent): string {
  return [host, timestamp, signatures, standard, ...(traceparent === undefined ? [] : [traceparent])].join(' ');
}

export function sentFrom(text: string): Sent {
  const [host = '', timestamp = '', signatures = '', standard = '', traceparent] = text.split(' ');
  return { host, timestamp, signatures: signatures.split(','), standard: standard.split(','), traceparent };
}
