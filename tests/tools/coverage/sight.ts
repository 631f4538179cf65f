import { FAILURES, NO_SCENARIO, OPERATIONS, type OperationId, SCENARIO } from '../../../generated/server.ts';
import { type Contract, type LocatedOperation, operationsOf, webhooksOf } from '../../../scripts/contract/bundle.ts';
import { type Field, fieldsOf } from '../../../scripts/contract/fields.ts';
import { parsed } from '../../support/parsed.ts';
import { codeIn, namesIn, operationAt } from '../exchange.ts';
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

/** Statuses that the server returns before it checks parameters. */
const UNSEEN: readonly number[] = [401, 413, 415, 429];
/** Error codes of requests with invalid content. */
const MALFORMED: readonly (string | undefined)[] = ['bad_parameter', 'invalid_request', 'unsupported_response_type'];

/** Makes a function that lists the facts that an exchange shows. */
export function sightOf(contract: Contract): (exchange: Exchange) => Sight {
  const known = new Map<string, Known>(operationsOf(contract).map((located) => [located.id, knownOf(located)]));
  return (exchange) => {
    const { method, target, status } = exchange;
    const code = codeOf(exchange);
    // the head of a response to GET, which is seen as one
    if (method === 'HEAD') return { part: NO_CALL, facts: [] };
    const called = operationAt(method, target.split('?')[0]!);
    if (called === undefined || isSharedFailure(called.id, status, code)) {
      return { part: NO_CALL, facts: code === undefined || status < 400 ? [] : [FACTS.response(status, code)] };
    }
    const ofRequest = requestFacts(known.get(called.id)!, called.params, exchange, code);
    return { part: called.id, facts: [...responseFacts(exchange, code), ...ofRequest] };
  };
}

type Known = ReturnType<typeof knownOf>;

function knownOf(located: LocatedOperation) {
  const fields = fieldsOf(located).map((field) => ({ field, situations: situationsOf(field) }));
  // other operations ignore a body
  return { takesBody: located.body !== null, fields };
}

/** A failure that any request can have, such as a timeout, does not count for the operation. */
function isSharedFailure(id: OperationId, status: number, code: string | undefined): boolean {
  const ofOperation: Readonly<Record<string, number>> = OPERATIONS[id].failures;
  return code !== undefined && ofOperation[code] !== status && FAILURES[code] === status;
}

/** The error code: from the body, from the `error` header of a 401, or from the redirect URL. */
function codeOf({ status, headers, body }: Exchange): string | undefined {
  if (status >= 400 && mediaTypeOf(headers['content-type']) === 'application/json') return codeIn(body);
  if (status === 401) return headers.error;
  return status === 302 ? backIn(headers, 'error') : undefined;
}

/** A query parameter of the redirect URL. */
function backIn({ location = '' }: Exchange['headers'], name: string): string | undefined {
  return new URL(location, 'http://localhost').searchParams.get(name) ?? undefined;
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

function requestFacts(
  { fields, takesBody }: Known,
  inPath: Readonly<Record<string, string>>,
  exchange: Exchange,
  code: string | undefined,
): string[] {
  const { status, sent } = exchange;
  const asked = sent.headers[SCENARIO.toLowerCase()];
  // a failure that the request asks for by name does not make its parameters invalid
  const faults = asked !== undefined && asked === code ? [] : faultsIn(exchange, code);
  if (faults === null) return [];
  const mediaType = mediaTypeOf(sent.headers['content-type']);
  const texts = textsOf(exchange, inPath);
  const body = bodyOf(sent.body, mediaType);
  const isAsked = asked !== undefined && asked !== NO_SCENARIO && status >= 400;
  return [
    ...(takesBody && faults.length === 0 && status < 400 && sent.body !== '' ? [FACTS.request(mediaType!)] : []),
    ...fields
      // if the request asks for a failure, the server checks only the header
      .filter(({ field }) => !isAsked || field.location === 'header')
      .flatMap(({ field, situations }) => {
        const values = field.location === 'body' ? body.flatMap((one) => valuesAt(one, field.names)) : [texts(field)];
        return situations
          .filter((situation) =>
            values.some((value) => situation.holds(value) && became(situation, field, faults, value)),
          )
          .map(({ says }) => FACTS.parameter(field, says));
      }),
  ];
}

/** The parameters that the server found at fault: none if it accepted all; null if nobody can tell. */
function faultsIn({ status, headers, body }: Exchange, code: string | undefined): readonly string[] | null {
  if (UNSEEN.includes(status) || status >= 500) return null;
  if (!MALFORMED.includes(code)) return [];
  const names = status === 302 ? (backIn(headers, 'error_description')?.match(/\w+/g) ?? []) : namesIn(body);
  return names.length === 0 ? null : names;
}

/** Whether the server treated a value in this situation as the contract says. */
function became(situation: Situation, { names }: Field, faults: readonly string[], value: unknown): boolean {
  if (!situation.isRefused) return faults.length === 0;
  const within = situation.within?.(value) ?? [];
  const wanted = within.length === 0 ? [names] : within.map((name) => [...names, name]);
  return wanted.some((way) => {
    // the server names list items by index, and the whole body "body"
    const name = way.length === 0 ? 'body' : way.join('.').replace('*', '0');
    return faults.some((fault) => fault.replace(/\.\d+$/, '.0') === name);
  });
}

/** Makes a reader for the parameters of an exchange. A missing one is undefined. */
function textsOf({ target, sent }: Exchange, inPath: Readonly<Record<string, string>>): (field: Field) => unknown {
  const parameters = new URLSearchParams(target.split('?')[1]);
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

/** Makes a function that lists the facts of a webhook, or returns null without an event. */
export function sightOfWebhook(contract: Contract): (headers: Sent['headers'], body: string) => Sight | null {
  const fields = new Map(webhooksOf(contract).map((located) => [located.path, headerSituations(located)]));
  return (headers, body) => {
    const { event_type: type, event } = Object(parsed(body));
    const known = fields.get(type);
    if (known === undefined || typeof event?.status !== 'string') return null;
    const parameters = known.flatMap(({ field, situations }) =>
      situations
        .filter(({ holds }) => holds(headers[field.names[0]!.toLowerCase()]))
        .map(({ says }) => FACTS.parameter(field, says)),
    );
    const facts = [FACTS.event(event.status), ...Object.keys(headers).map(FACTS.webhookHeader), ...parameters];
    return { part: type, facts };
  };
}
