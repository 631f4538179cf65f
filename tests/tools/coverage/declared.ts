import { FAILURES, OPERATIONS, type OperationId } from '../../../generated/server.ts';
import {
  type Contract,
  type LocatedOperation,
  operationsOf,
  partsOf,
  webhooksOf,
} from '../../../scripts/contract/bundle.ts';
import { type Field, fieldsOf } from '../../../scripts/contract/fields.ts';
import { situationsOf } from './situations.ts';

/** The name of each kind of fact. The part before the colon is the kind. */
export const FACTS = {
  /** @param code the error code, if the response has one */
  response: (status: number, code?: string) => `response: ${status}${code === undefined ? '' : ` ${code}`}`,
  header: (status: number, name: string) => `header: ${status} ${name.toLowerCase()}`,
  mediaType: (status: number, mediaType: string) => `media type: ${status} ${mediaType}`,
  /** An accepted request body of this media type. */
  request: (mediaType: string) => `request: ${mediaType}`,
  parameter: (field: Field, says: string) => `parameter: ${fieldName(field)} ${says}`,
  /** A webhook about a ride in this status. */
  event: (rideStatus: string) => `event: ${rideStatus}`,
  /** A header of a webhook. */
  webhookHeader: (header: string) => `webhook header: ${header.toLowerCase()}`,
};

export function kindOf(fact: string): string {
  return fact.slice(0, fact.indexOf(':'));
}

function fieldName({ location, names }: Field): string {
  return [location, names.join('.')].filter((part) => part !== '').join(' ');
}

/** For each part of the contract, every fact that tests can see. */
export type Declared = ReadonlyMap<string, readonly string[]>;

/** The part for responses to requests that match no operation. */
export const NO_CALL = 'no operation';

/** What the contract declares: responses, their headers and media types, request parameters, and webhooks. */
export function declaredBy(api: Contract, webhooks: Contract): Declared {
  return new Map<string, readonly string[]>([
    ...operationsOf(api).map((located) => [located.id, operationFacts(located)] as const),
    [NO_CALL, Object.entries(FAILURES).map(([code, status]) => FACTS.response(status, code))],
    ...webhooksOf(webhooks).map((located) => [located.path, webhookFacts(located)] as const),
  ]);
}

function operationFacts(located: LocatedOperation): string[] {
  const { statuses, redirectErrors, failures } = OPERATIONS[located.id as OperationId];
  const redirects = redirectErrors.map((code) => FACTS.response(302, code));
  return [
    ...statuses.filter((status) => status < 400).map((status) => FACTS.response(status)),
    ...redirects,
    ...Object.entries(failures).map(([code, status]) => FACTS.response(status, code)),
    ...Object.entries(located.operation.responses).flatMap(([status, { headers = {}, content = {} }]) => [
      ...Object.keys(headers).map((name) => FACTS.header(Number(status), name)),
      ...Object.keys(content).map((mediaType) => FACTS.mediaType(Number(status), mediaType)),
    ]),
    ...(located.body?.mediaTypes ?? []).map(FACTS.request),
    ...fieldsOf(located).flatMap((field) => situationsOf(field).map(({ says }) => FACTS.parameter(field, says))),
  ];
}

function webhookFacts(located: LocatedOperation): string[] {
  const parameters = headerSituations(located).flatMap(({ field, situations }) => [
    FACTS.webhookHeader(field.names[0]!),
    ...situations.map(({ says }) => FACTS.parameter(field, says)),
  ]);
  return [...rideStatusesIn(located).map(FACTS.event), ...parameters];
}

/** The headers of a webhook. The server sends it, so none of the values is ever refused. */
export function headerSituations(located: LocatedOperation) {
  const headers = fieldsOf(located).filter(({ location }) => location === 'header');
  return headers.map((field) => ({ field, situations: situationsOf(field).filter(({ isRefused }) => !isRefused) }));
}

/** The ride statuses that an event can have. */
function rideStatusesIn({ body }: LocatedOperation): string[] {
  const event = partsOf(body!.schema).flatMap(({ properties }) => properties?.event ?? [])[0]!;
  return Object.keys(event.discriminator!.mapping);
}
