import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { nameOf, operationsOf } from '../../../scripts/contract/bundle.ts';
import { contract } from '../../../scripts/contract/read.ts';
import type { Stage } from '../../contract/support/refusals-stage.ts';
import { PAIRS, refused } from '../../contract/support/refused-calls.ts';
import { answerIn, SITUATIONS } from '../../contract/support/situations.ts';
import { acceptedCall } from '../../support/operation-facts.ts';
import { CALL_IDS } from '../../support/operations.ts';
import { type RawCall, rawCall } from '../../support/raw-call.ts';

/** A response of the server with a body. */
export interface LiveAnswer {
  readonly operation: OperationId;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly mediaType: string;
  /** The name of the schema that the contract declares for it. */
  readonly component: string;
  readonly body: unknown;
}

const LOCATED = new Map(operationsOf(contract).map((located) => [located.id, located]));

/** Each operation and status for which the contract declares a body. */
export const DECLARED: readonly string[] = [...LOCATED.values()].flatMap(({ id, operation }) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) => (content ? [`${id} ${status}`] : [])),
);

/** A success of every operation, every failure, and a ride in every situation. */
export async function liveAnswers(stage: Stage): Promise<LiveAnswer[]> {
  const answers: LiveAnswer[] = [];
  const keep = async (operation: OperationId, response: Response) => {
    const body = await response.text();
    if (body === '') return;
    const [mediaType] = response.headers.get('content-type')!.split(';');
    answers.push(answerOf(operation, response.status, mediaType!, body));
  };
  const { query } = await acceptedCall('authorizeApplication', stage.server);
  await keep('authorizeApplication', await rawCall(stage.server.baseUrl, 'authorizeApplication', { query }));
  for (const id of CALL_IDS) {
    await keep(id, await rawCall(stage.server.baseUrl, id, await acceptedCall(id, stage.server)));
  }
  for (const situation of SITUATIONS) {
    const ride = await answerIn(stage, situation, {});
    answers.push(answerOf('getRide', 200, 'application/json', JSON.stringify(ride)));
  }
  for (const pair of PAIRS) {
    const send = (baseUrl: string, call: RawCall) => rawCall(baseUrl, pair.operation, call);
    await keep(pair.operation, await refused(stage, pair, send));
  }
  return answers;
}

function answerOf(operation: OperationId, status: number, mediaType: string, text: string): LiveAnswer {
  const { method, path } = OPERATIONS[operation];
  const schema = LOCATED.get(operation)!.operation.responses[status]?.content?.[mediaType]?.schema;
  if (schema === undefined) throw new Error(`${operation} does not declare ${mediaType} for the status ${status}.`);
  const body = mediaType === 'application/json' ? JSON.parse(text) : text;
  return { operation, method, path, status, mediaType, component: nameOf(schema)!, body };
}
