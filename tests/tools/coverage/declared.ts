import { FAILURES, OPERATIONS, type OperationId } from '../../../generated/server.ts';
import {
  type Contract,
  type LocatedOperation,
  operationsOf,
  type RequestBody,
  resolve,
  type Schema,
  webhooksOf,
} from '../../../scripts/generate/contract.ts';
import { FACTS } from './facts.ts';
import { fieldsOf } from './fields.ts';
import { situationsOf } from './situations.ts';

/** Each part of the contract with everything that can be seen of it. */
export type Declared = ReadonlyMap<string, readonly string[]>;

/** The part of what is answered to requests that are no call of an operation. */
export const NO_CALL = 'no operation';

/** What the contract declares: answers, their headers and media types, what requests may hold, and what webhooks tell. */
export function declaredBy(api: Contract, webhooks: Contract): Declared {
  return new Map<string, readonly string[]>([
    ...operationsOf(api).map((located) => [located.operation.operationId, operationFacts(api, located)] as const),
    [NO_CALL, Object.entries(FAILURES).map(([code, status]) => FACTS.answer(status, code))],
    ...webhooksOf(webhooks).map((located) => [located.path, webhookFacts(webhooks, located)] as const),
  ]);
}

function operationFacts(contract: Contract, located: LocatedOperation): string[] {
  const { statuses, redirectErrors, failures } = OPERATIONS[located.operation.operationId as OperationId];
  const redirects = redirectErrors.map((code) => FACTS.answer(302, code));
  return [
    ...statuses.filter((status) => status < 400).map((status) => FACTS.answer(status)),
    ...redirects,
    ...Object.entries(failures).map(([code, status]) => FACTS.answer(status, code)),
    ...Object.entries(located.operation.responses).flatMap(([status, declared]) => {
      const { headers = {}, content = {} } = resolve(contract, declared);
      return [
        ...Object.keys(headers).map((name) => FACTS.header(Number(status), name)),
        ...Object.keys(content).map((mediaType) => FACTS.mediaType(Number(status), mediaType)),
      ];
    }),
    ...Object.keys(requestOf(contract, located)?.content ?? {}).map(FACTS.request),
    ...fieldsOf(contract, located).flatMap((field) =>
      situationsOf(field).map(({ says }) => FACTS.parameter(field, says)),
    ),
  ];
}

/** What a webhook sends is up to us, so nothing of it is refused. */
function webhookFacts(contract: Contract, located: LocatedOperation): string[] {
  const headers = fieldsOf(contract, located).filter(({ location }) => location === 'header');
  const parameters = headers.flatMap((field) => [
    FACTS.sent(field.names[0]!),
    ...situationsOf(field)
      .filter(({ isRefused }) => !isRefused)
      .map(({ says }) => FACTS.parameter(field, says)),
  ]);
  const schema = resolve(contract, Object.values(requestOf(contract, located)!.content)[0]!.schema!);
  return [...rideStatusesIn(contract, schema).map(FACTS.event), ...parameters];
}

function requestOf(contract: Contract, { operation }: LocatedOperation): RequestBody | undefined {
  return operation.requestBody && resolve(contract, operation.requestBody);
}

/** The statuses of the rides that an event tells of. */
function rideStatusesIn(contract: Contract, schema: Schema): string[] {
  const members = (schema.allOf ?? []).map((member) => resolve(contract, member));
  const event = members.find(({ properties = {} }) => 'event' in properties)!.properties!.event!;
  const { discriminator } = resolve(contract, event) as { discriminator?: { mapping: Record<string, string> } };
  return Object.keys(discriminator!.mapping);
}
