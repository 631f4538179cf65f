import { FAILURES, NO_SCENARIO, OPERATIONS, type OperationId, SCENARIO } from '../../../generated/server.ts';
import { type Contract, type LocatedOperation, operationsOf, webhooksOf } from '../../../scripts/contract/bundle.ts';
import { type Field, fieldsOf } from '../../../scripts/contract/fields.ts';
import { parsed } from '../../support/parsed.ts';
import { FACTS, headerSituations, NO_CALL } from './declared.ts';
import { type Situation, situationsOf } from './situations.ts';
import { valuesAt } from './values-at.ts';

/** Header names are in lower case. */
interface Sent {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A request and its response as sent. Header names are in lower case. */
export interface Exchange {
  readonly method: string;
  /** Includes the query. */
  readonly target: string;
  readonly sent: Sent;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The facts that an exchange shows about a part of the contract. */
export interface Sight {
  readonly part: string;
  readonly facts: readonly string[];
}

interface Judgement {
  /** Whether the server accepted the parameters. */
  readonly passed: boolean;
  /** Parameters at fault. */
  readonly faults: readonly string[];
}

const PASSED: Judgement = { passed: true, faults: [] };

interface Known {
  readonly id: OperationId;
  /** Other operations ignore a body. */
  readonly takesBody: boolean;
  readonly path: RegExp;
  readonly fields: ReadonlyArray<{ readonly field: Field; readonly situations: readonly Situation[] }>;
}

/** Statuses that the server returns before it checks parameters. */
const UNSEEN: readonly number[] = [401, 413, 415, 429];
/** Error codes of requests with invalid content. */
const MALFORMED: readonly (string | undefined)[] = ['bad_parameter', 'invalid_request', 'unsupported_response_type'];

/** Makes a function that lists the facts that an exchange shows. */
export function sightOf(contract: Contract): (exchange: Exchange) => Sight {
  const known = operationsOf(contract).map(knownOf);
  return (exchange) => {
    const { method, target, status } = exchange;
    const [path = ''] = target.split('?');
    const code = codeOf(exchange);
    const called = known.find((one) => OPERATIONS[one.id].method === method.toLowerCase() && one.path.test(path));
    if (called === undefined || isSharedFailure(called.id, status, code)) {
      return { part: NO_CALL, facts: code === undefined || status < 400 ? [] : [FACTS.response(status, code)] };
    }
    return { part: called.id, facts: [...responseFacts(exchange, code), ...requestFacts(called, exchange, code)] };
  };
}

function knownOf(located: LocatedOperation): Known {
  const pattern = located.path.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/]+)`);
  const fields = fieldsOf(located).map((field) => ({ field, situations: situationsOf(field) }));
  return { id: located.id as OperationId, takesBody: located.body !== null, path: new RegExp(`^${pattern}$`), fields };
}

/** A failure that any request can have, such as a timeout, does not count for the operation. */
function isSharedFailure(id: OperationId, status: number, code: string | undefined): boolean {
  const ofOperation: Readonly<Record<string, number>> = OPERATIONS[id].failures;
  return code !== undefined && ofOperation[code] !== status && FAILURES[code] === status;
}

/** The error code: from the body, from the `error` header of a 401, or from the redirect URL. */
function codeOf({ status, headers, body }: Exchange): string | undefined {
  if (status >= 400 && isJson(headers['content-type'])) return errorIn(body);
  if (status === 401) return headers.error;
  return status === 302 ? backIn(headers, 'error') : undefined;
}

/** A query parameter of the redirect URL. */
function backIn({ location = '' }: Exchange['headers'], name: string): string | undefined {
  return new URL(location, 'http://localhost').searchParams.get(name) ?? undefined;
}

function errorIn(body: string): string | undefined {
  const { error } = Object(parsed(body)) as { error?: unknown };
  return typeof error === 'string' ? error : undefined;
}

function responseFacts({ status, headers }: Exchange, code: string | undefined): string[] {
  const mediaType = mediaTypeOf(headers['content-type']);
  // an HTML error page does not contain the code
  const hasNoCode = status >= 400 && mediaType === 'text/html';
  return [
    ...(hasNoCode ? [] : [FACTS.response(status, code)]),
    ...Object.keys(headers).map((name) => FACTS.header(status, name)),
    ...(mediaType === undefined ? [] : [FACTS.mediaType(status, mediaType)]),
  ];
}

function requestFacts({ path, fields, takesBody }: Known, exchange: Exchange, code: string | undefined): string[] {
  const { status, sent } = exchange;
  const asked = sent.headers[SCENARIO.toLowerCase()];
  // a failure that the request asks for by name does not make its parameters invalid
  const judgement = asked !== undefined && asked === code ? PASSED : judgementOf(exchange, code);
  if (judgement === null) return [];
  const mediaType = mediaTypeOf(sent.headers['content-type']);
  const texts = textsOf(exchange, path);
  const body = bodyOf(sent.body, mediaType);
  const isAsked = asked !== undefined && asked !== NO_SCENARIO && status >= 400;
  return [
    ...(takesBody && judgement.passed && status < 400 && sent.body !== '' ? [FACTS.request(mediaType!)] : []),
    ...fields
      // if the request asks for a failure, the server checks only the header
      .filter(({ field }) => !isAsked || field.location === 'header')
      .flatMap(({ field, situations }) => {
        const values = field.location === 'body' ? body.flatMap((one) => valuesAt(one, field.names)) : [texts(field)];
        return situations
          .filter((situation) =>
            values.some((value) => situation.holds(value) && became(situation, field, judgement, value)),
          )
          .map(({ says }) => FACTS.parameter(field, says));
      }),
  ];
}

/** What the server decided about the parameters; null if it did not check them. */
function judgementOf({ status, headers, body }: Exchange, code: string | undefined): Judgement | null {
  if (UNSEEN.includes(status) || status >= 500) return null;
  if (!MALFORMED.includes(code)) return PASSED;
  if (status === 302) return { passed: false, faults: backIn(headers, 'error_description')?.match(/\w+/g) ?? [] };
  const { error_detail: detail = [] } = Object(parsed(body)) as { error_detail?: object[] };
  return { passed: false, faults: detail.flatMap(Object.keys) };
}

/** Whether the server treated a value in this situation as the contract says. */
function became(situation: Situation, { names }: Field, { passed, faults }: Judgement, value: unknown): boolean {
  if (!situation.isRefused) return passed;
  const within = situation.within?.(value) ?? [];
  const wanted = within.length === 0 ? [names] : within.map((name) => [...names, name]);
  return wanted.some((way) => {
    // the server names list items by index, and the whole body "body"
    const name = way.length === 0 ? 'body' : way.join('.').replace('*', '0');
    return faults.some((fault) => fault.replace(/\.\d+$/, '.0') === name);
  });
}

/** Makes a reader for the parameters of an exchange. A missing one is undefined. */
function textsOf({ target, sent }: Exchange, path: RegExp): (field: Field) => unknown {
  const [before = '', query = ''] = target.split('?');
  const parameters = new URLSearchParams(query);
  const inPath = path.exec(before)?.groups ?? {};
  return ({ location, names: [name = ''], schema }) => {
    if (location === 'path') return decoded(inPath[name]!);
    if (location === 'header') return sent.headers[name.toLowerCase()];
    const text = parameters.get(name) ?? undefined;
    const isNumber = schema.type === 'number' || schema.type === 'integer';
    return isNumber && text !== undefined && /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The parsed body as a list of one; empty if it cannot be parsed. */
function bodyOf(text: string, mediaType: string | undefined): unknown[] {
  if (text === '') return [undefined];
  if (mediaType === 'application/x-www-form-urlencoded') return [Object.fromEntries(new URLSearchParams(text))];
  const value = parsed(text);
  return value === undefined ? [] : [value];
}

function mediaTypeOf(contentType: string | undefined): string | undefined {
  return contentType && /^[^;]*/.exec(contentType)![0].trim().toLowerCase();
}

function isJson(contentType: string | undefined): boolean {
  return mediaTypeOf(contentType) === 'application/json';
}

/** Makes a function that lists the facts of a webhook, or returns null without an event. */
export function sightOfWebhook(contract: Contract): (headers: Sent['headers'], body: string) => Sight | null {
  const fields = new Map(webhooksOf(contract).map((located) => [located.path, headerSituations(located)]));
  return (headers, body) => {
    const told = parsed(body) as {
      readonly event_type?: unknown;
      readonly event?: { readonly status?: unknown };
    } | null;
    const [type, status] = [String(told?.event_type), told?.event?.status];
    const known = fields.get(type);
    if (known === undefined || typeof status !== 'string') return null;
    const parameters = known.flatMap(({ field, situations }) =>
      situations
        .filter(({ holds }) => holds(headers[field.names[0]!.toLowerCase()]))
        .map(({ says }) => FACTS.parameter(field, says)),
    );
    const facts = [FACTS.event(status), ...Object.keys(headers).map(FACTS.webhookHeader), ...parameters];
    return { part: type, facts };
  };
}
