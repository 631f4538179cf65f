import { Pool } from 'undici';
import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import type { Draft, SentBody } from './attack.ts';
import { AUTHORIZATIONS, type Cast, type Room } from './cast.ts';

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

export type Line = ReturnType<typeof openLine>;

/** A few keep-alive connections to a server. */
export function openLine(baseUrl: string) {
  const pool = new Pool(baseUrl, { connections: 2 });
  return {
    send: async ({ method, target, headers, body }: Sent): Promise<Answer> => {
      const answer = await pool.request({ method: method as 'GET', path: target, headers, body: body ?? null });
      const text = await answer.body.text();
      const named = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
      return { status: answer.statusCode, headers: Object.fromEntries(named), text };
    },
    close: () => pool.close(),
  };
}

interface Parts extends Pick<Draft, 'pathSuffix' | 'path' | 'query' | 'rawQuery' | 'headers'> {
  readonly authorization: string | undefined;
  readonly body: { readonly type: string; readonly bytes: string } | undefined;
}

export function requestTo(operation: OperationId, { authorization, body, ...parts }: Parts): Sent {
  const { method, path } = OPERATIONS[operation];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(parts.path[name] ?? ''));
  const pairs = parts.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const query = [...pairs, parts.rawQuery ?? []].flat().join('&');
  return {
    method: method.toUpperCase(),
    target: `${filled}${parts.pathSuffix ?? ''}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...(body?.type && { 'Content-Type': body.type }),
      ...(authorization !== undefined && { Authorization: authorization }),
      ...parts.headers,
    },
    ...(body && { body: Buffer.from(body.bytes) }),
  };
}

/** Turns a draft into a request, with real tokens and ids. */
export async function requestOf(draft: Draft, cast: Cast, room: Room): Promise<Sent> {
  const path = { ride_id: room.riding.rideId, event_id: room.eventId, ...draft.path };
  const body = draft.body && { type: draft.body.type, bytes: await textOf(draft.body, cast) };
  return requestTo(draft.operation, { ...draft, path, body, authorization: AUTHORIZATIONS[draft.who](room) });
}

/** Percent-encodes a text. A lone surrogate becomes U+FFFD. Dots are encoded, because `.` and `..` change the path. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/^\.{1,2}$/, (dots) => dots.replaceAll('.', '%2E'));
}

async function textOf(body: SentBody, cast: Cast): Promise<string> {
  if ('text' in body) return body.text;
  return cast.filled(body.type.includes('form') ? formOf(body.value) : JSON.stringify(body.value));
}

function formOf(value: unknown): string {
  // a form has no null
  const pairs = Object.entries(value as Record<string, string | null>).filter(([, text]) => text !== null);
  // placeholders stay unencoded, so that `filled` can find them
  return pairs
    .map(([name, text]) => `${encoded(name)}=${/^\{a [a-z ]+\}$/.test(text!) ? text : encoded(text!)}`)
    .join('&');
}
