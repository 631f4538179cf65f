import { Pool } from 'undici';
import { OPERATIONS } from '../../../generated/server.ts';
import type { Draft, SentBody } from './attack.ts';
import { authorizationOf, type Cast, type Room } from './cast.ts';

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface Answer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Line {
  send(request: Sent): Promise<Answer>;
  close(): Promise<void>;
}

/** A few keep-alive connections to a server. */
export function openLine(baseUrl: string): Line {
  const pool = new Pool(baseUrl, { connections: 2 });
  return {
    send: async ({ method, target, headers, body }) => {
      const answer = await pool.request({ method: method as 'GET', path: target, headers, body: body ?? null });
      const text = await answer.body.text();
      const named = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
      return { status: answer.statusCode, headers: Object.fromEntries(named), text };
    },
    close: () => pool.close(),
  };
}

/** Turns a draft into a request, with real tokens and ids. */
export async function requestOf(draft: Draft, cast: Cast, room: Room): Promise<Sent> {
  const { method, path } = OPERATIONS[draft.operation];
  const ids: Record<string, string> = { ride_id: room.riding.rideId, event_id: room.eventId };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(draft.path[name] ?? ids[name] ?? ''));
  const pairs = draft.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const query = [...pairs, draft.rawQuery ?? []].flat().join('&');
  const authorization = authorizationOf(draft.who, room);
  const body = draft.body && (await bytesOf(draft.body, cast));
  return {
    method: method.toUpperCase(),
    target: `${filled}${draft.pathSuffix ?? ''}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...(draft.body?.type && { 'Content-Type': draft.body.type }),
      ...(authorization !== undefined && { Authorization: authorization }),
      ...draft.headers,
    },
    ...(body && { body }),
  };
}

/** Percent-encodes a text. A lone surrogate becomes U+FFFD. Dots are encoded, because `.` and `..` change the path. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/^\.{1,2}$/, (dots) => dots.replaceAll('.', '%2E'));
}

async function bytesOf(body: SentBody, cast: Cast): Promise<Buffer> {
  if ('text' in body) return Buffer.from(body.text);
  return Buffer.from(await cast.filled(body.type.includes('form') ? formOf(body.value) : JSON.stringify(body.value)));
}

function formOf(value: unknown): string {
  // a form has no null
  const pairs = Object.entries(value as Record<string, string | null>).flatMap(([name, text]) => {
    return text === null ? [] : [[name, text] as const];
  });
  // placeholders stay unencoded, so that `filled` can find them
  return pairs
    .map(([name, text]) => `${encoded(name)}=${/^\{a [a-z ]+\}$/.test(text) ? text : encoded(text)}`)
    .join('&');
}
