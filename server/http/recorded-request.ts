import type { Request, Response } from 'express';
import { REQUESTS, type Schema, SECRETS_IN_ANSWERS } from '../../generated/requests.ts';
import type { OperationId } from '../../generated/server.ts';
import type { LoggedBodies } from '../domain/logged-request.ts';
import { own } from '../domain/own.ts';
import type { WorldKind } from '../domain/worlds/clock.ts';
import type { ArrivedRequest, Parts } from '../parts.ts';
import { notesOf } from './notes.ts';

/**
 * A body of a sandbox in the log of requests.
 * @beyond the rest is cut off
 * @heldBy tests/http/recorded-requests.test.ts
 */
export const MOST_BODY_BYTES_LOGGED = 2048;
/**
 * A path with its query in the log of requests. The longest valid one has 200.
 * @beyond the rest is cut off
 * @heldBy tests/http/recorded-requests.test.ts
 */
export const LONGEST_PATH_LOGGED = 500;
/** Decimals of a coordinate in the live world: about a kilometer. */
const DECIMALS_SHOWN = 2;
const SCENARIO_NAME = /^\w{1,64}$/;

/** Records a request for the owner of its application, unless its credentials were wrong. */
export function recordRequest(
  { requestLog, now }: Pick<Parts, 'requestLog' | 'now'>,
  req: Request,
  { statusCode }: Response,
  { isWhole, responseTime: ms }: { readonly isWhole: boolean; readonly responseTime: number },
): void {
  const { call, id, failure, answer } = notesOf(req);
  const developerId = call?.identified?.application.developerId ?? null;
  if (requestLog === null || !call?.identified || developerId === null) return;
  const { application, world, scopes } = call.identified;
  const isLive = world.kind === 'live';
  const scenario = !isLive && call.scenario !== null && SCENARIO_NAME.test(call.scenario) ? call.scenario : null;
  const request: ArrivedRequest = {
    id,
    at: now() - ms,
    ms,
    method: req.method,
    path: cut(req.originalUrl),
    status: isWhole ? statusCode : null,
    error: failure,
    scopes: scopes ?? null,
    worldId: world.id,
    scenario,
    pathOf: PATHS[call.operation][world.kind],
  };
  const bodies = isLive ? null : () => bodiesOf(call.operation, req.body, answer);
  requestLog.record({ applicationId: application.id, developerId }, request, bodies);
}

/** Made once: a function of each request would have to be kept until the request is written. */
const PATHS = Object.fromEntries(
  Object.entries(REQUESTS).map(([operation, { query }]) => [
    operation,
    { live: (url: string) => pathIn(url, query, true), sandbox: (url: string) => pathIn(url, query, false) },
  ]),
) as Record<OperationId, Record<WorldKind, ArrivedRequest['pathOf']>>;

/** Only with the parameters that the contract knows, as they were sent. */
function pathIn(url: string, query: (typeof REQUESTS)[OperationId]['query'], isLive: boolean): string {
  const start = url.indexOf('?');
  if (start === -1) return url;
  let path = url.slice(0, start);
  // without a list of the parameters: this runs for every request
  for (let from = start + 1; from < url.length; ) {
    const next = url.indexOf('&', from);
    const end = next === -1 ? url.length : next;
    const equals = url.indexOf('=', from);
    const name = url.slice(from, equals);
    const schema = equals === -1 || equals > end ? undefined : own(query, name);
    if (schema !== undefined)
      path += (path.length === start ? '?' : '&') + shown(name, schema, url.slice(equals + 1, end), isLive);
    from = end + 1;
  }
  return path.slice(0, LONGEST_PATH_LOGGED);
}

function shown(name: string, schema: Schema, value: string, isLive: boolean): string {
  if (isSecret(schema)) return `${name}=${variableOf(name)}`;
  // in a query, such numbers are coordinates
  return isLive && schema.format === 'double' ? `${name}=${Number(value).toFixed(DECIMALS_SHOWN)}` : `${name}=${value}`;
}

/** @param sent the body as it was read: only with fields of the contract, or undefined if it could not be read */
function bodiesOf(operation: OperationId, sent: unknown, answer: string | null): LoggedBodies {
  const isObject = typeof sent === 'object' && sent !== null && !Buffer.isBuffer(sent);
  const secrets = SECRETS_IN_ANSWERS[operation];
  return [
    isObject ? beginningOf(JSON.stringify(masked(sent, REQUESTS[operation].body ?? {}))) : null,
    answer && beginningOf(secrets ? JSON.stringify(masked(JSON.parse(answer), secrets)) : answer),
  ];
}

/** A value in which variables of a shell replace the secrets. They are the fields with the format `password`. */
function masked(value: unknown, { properties = {}, items = {} }: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, items));
  if (typeof value !== 'object' || value === null) return value;
  const shown = Object.entries(value).map(([name, field]) => {
    const schema = own(properties, name) ?? {};
    return [name, isSecret(schema) && field !== null ? variableOf(name) : masked(field, schema)];
  });
  return Object.fromEntries(shown);
}

const isSecret = ({ format }: Schema) => format === 'password';

/** The variable that stands for a secret in a command, too: see curlOf. */
const variableOf = (name: string) => `$RIDEHAIL_${name.toUpperCase()}`;

/** The beginning of a URL, as long as a path can be. */
function cut(url: string): string {
  if (url.length <= LONGEST_PATH_LOGGED) return url;
  // a copy: a part of a text would keep the whole one in memory
  return Buffer.from(url, 'latin1').toString('latin1', 0, LONGEST_PATH_LOGGED);
}

/** Copies what it cuts, as `cut` does. */
function beginningOf(text: string): string {
  if (Buffer.byteLength(text) <= MOST_BODY_BYTES_LOGGED) return text;
  const bytes = Buffer.from(text.slice(0, MOST_BODY_BYTES_LOGGED));
  // without a character that does not fit
  return bytes.toString('utf8', 0, MOST_BODY_BYTES_LOGGED).replace(/\ufffd$/, '');
}
