import { FAILURES, OPERATIONS, type OperationId, SCENARIO } from '../../../generated/server.ts';
import { type Contract, type LocatedOperation, operationsOf } from '../../../scripts/contract/bundle.ts';
import { type Field, fieldsOf } from '../../../scripts/contract/fields.ts';
import { parsed } from '../../support/parsed.ts';
import { NO_CALL } from './declared.ts';
import { FACTS } from './facts.ts';
import { type Situation, situationsOf } from './situations.ts';
import { valuesAt } from './values-at.ts';

/** A request and its answer, as they went over the wire. Names of headers are in lower case. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly sent: { readonly headers: Readonly<Record<string, string | undefined>>; readonly body: string };
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What was seen of which part of the contract. */
export interface Sight {
  readonly part: string;
  readonly facts: readonly string[];
}

interface Judgement {
  /** Whether what the contract says of the request held. */
  readonly passed: boolean;
  /** Parameters at fault. */
  readonly faults: readonly string[];
}

const PASSED: Judgement = { passed: true, faults: [] };

interface Known {
  readonly id: OperationId;
  /** Others ignore one. */
  readonly takesBody: boolean;
  readonly path: RegExp;
  readonly fields: ReadonlyArray<{ readonly field: Field; readonly situations: readonly Situation[] }>;
}

/** What a request is refused with before anybody looks at its parameters. */
const UNSEEN: readonly number[] = [401, 413, 415, 429];
/** What a request is refused with for what it holds. */
const MALFORMED: readonly (string | undefined)[] = ['bad_parameter', 'invalid_request', 'unsupported_response_type'];

/** Makes the function that tells what an exchange shows of the contract. */
export function sightOf(contract: Contract): (exchange: Exchange) => Sight {
  const known = operationsOf(contract).map(knownOf);
  return (exchange) => {
    const { method, target, status } = exchange;
    const [path = ''] = target.split('?');
    const code = codeOf(exchange);
    const called = known.find((one) => OPERATIONS[one.id].method === method.toLowerCase() && one.path.test(path));
    if (called === undefined || isOfNobody(called.id, status, code)) {
      return { part: NO_CALL, facts: code === undefined || status < 400 ? [] : [FACTS.answer(status, code)] };
    }
    return { part: called.id, facts: [...answerFacts(exchange, code), ...requestFacts(called, exchange, code)] };
  };
}

function knownOf(located: LocatedOperation): Known {
  const pattern = located.path.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/]+)`);
  const fields = fieldsOf(located).map((field) => ({ field, situations: situationsOf(field) }));
  return { id: located.id as OperationId, takesBody: located.body !== null, path: new RegExp(`^${pattern}$`), fields };
}

/** What may come to any request, such as a timeout, is not of the operation that it was meant for. */
function isOfNobody(id: OperationId, status: number, code: string | undefined): boolean {
  const ofOperation: Readonly<Record<string, number>> = OPERATIONS[id].failures;
  return code !== undefined && ofOperation[code] !== status && FAILURES[code] === status;
}

/** The code of a failure: in its body, in the one header where there is no body, or in the address that a browser is sent to. */
function codeOf({ status, headers, body }: Exchange): string | undefined {
  if (status >= 400 && isJson(headers['content-type'])) return errorIn(body);
  if (status === 401) return headers.error;
  return status === 302 ? backIn(headers, 'error') : undefined;
}

/** What a browser brings back to an application. */
function backIn({ location = '' }: Exchange['headers'], name: string): string | undefined {
  return new URL(location, 'http://localhost').searchParams.get(name) ?? undefined;
}

function errorIn(body: string): string | undefined {
  const { error } = Object(parsed(body)) as { error?: unknown };
  return typeof error === 'string' ? error : undefined;
}

function answerFacts({ status, headers }: Exchange, code: string | undefined): string[] {
  const mediaType = mediaTypeOf(headers['content-type']);
  // a page that tells of a failure does not say its code
  const hasNoCode = status >= 400 && mediaType === 'text/html';
  return [
    ...(hasNoCode ? [] : [FACTS.answer(status, code)]),
    ...Object.keys(headers).map((name) => FACTS.header(status, name)),
    ...(mediaType === undefined ? [] : [FACTS.mediaType(status, mediaType)]),
  ];
}

function requestFacts({ path, fields, takesBody }: Known, exchange: Exchange, code: string | undefined): string[] {
  const { status, sent } = exchange;
  const asked = sent.headers[SCENARIO.toLowerCase()];
  // who gets the failure that they asked for has asked well
  const judgement = asked !== undefined && asked === code ? PASSED : judgementOf(exchange, code);
  if (judgement === null) return [];
  const mediaType = mediaTypeOf(sent.headers['content-type']);
  const texts = textsOf(exchange, path);
  const body = bodyOf(sent.body, mediaType);
  const isAsked = asked !== undefined && status >= 400;
  return [
    ...(takesBody && judgement.passed && status < 400 && sent.body !== '' ? [FACTS.request(mediaType!)] : []),
    ...fields
      // what a sandbox was asked for says nothing of the rest
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

/** What became of the request's parameters; null where nobody looked at them. */
function judgementOf({ status, headers, body }: Exchange, code: string | undefined): Judgement | null {
  if (UNSEEN.includes(status) || status >= 500) return null;
  if (!MALFORMED.includes(code)) return PASSED;
  if (status === 302) return { passed: false, faults: backIn(headers, 'error_description')?.match(/\w+/g) ?? [] };
  const { error_detail: detail = [] } = Object(parsed(body)) as { error_detail?: object[] };
  return { passed: false, faults: detail.flatMap(Object.keys) };
}

/** Whether a value that is in the situation was treated as the contract says. */
function became(situation: Situation, { names }: Field, { passed, faults }: Judgement, value: unknown): boolean {
  if (!situation.isRefused) return passed;
  const within = situation.within?.(value) ?? [];
  const wanted = within.length === 0 ? [names] : within.map((name) => [...names, name]);
  return wanted.some((way) => {
    // the items of a list are told apart by their places, the body as a whole by its name
    const name = way.length === 0 ? 'body' : way.join('.').replace('*', '0');
    return faults.some((fault) => fault.replace(/\.\d+$/, '.0') === name);
  });
}

/** Reads the parameters of an exchange: undefined for one that is not there. */
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

/** The value of a body in a list; nothing where it cannot be read. */
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
