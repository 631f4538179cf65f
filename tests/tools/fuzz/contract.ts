import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { type LocatedOperation, operationsOf } from '../../../scripts/contract/bundle.ts';
import { contract } from '../../../scripts/contract/read.ts';

/** The path and query parameters of each operation. */
export const FACTS = Object.fromEntries(
  operationsOf(contract).map((located) => {
    const parameters = located.parameters.filter(({ in: place }) => place === 'path' || place === 'query');
    return [located.id, { ...located, parameters }];
  }),
) as Readonly<Record<OperationId, LocatedOperation>>;

/** The operation's error code for a request that breaks the contract. */
export function malformedCode(operation: OperationId): string {
  return 'invalid_request' in OPERATIONS[operation].failures ? 'invalid_request' : 'bad_parameter';
}
