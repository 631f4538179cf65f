import express from 'express';
import { pino } from 'pino';
import { type AnyHandler, type Handlers, OPERATIONS, type OperationId } from '../../../generated/server.ts';
import type { AppParts } from '../../../server/app.ts';
import type { Refusal } from '../../../server/domain/refusal.ts';
import type { Contexts } from '../../../server/http/caller.ts';
import { limitCallsAtOnce } from '../../../server/http/calls-at-once.ts';
import { answerFailures } from '../../../server/http/failures.ts';
import { createFastServer } from '../../../server/http/fast-server.ts';
import { addOperations } from '../../../server/http/mount.ts';
import { requestLog } from '../../../server/http/request-log.ts';
import { close, listen } from '../../support/listen.ts';
import { OPERATION_IDS } from '../../support/operations.ts';

/** A server that checks the contract and whose handlers return the response that the test sets. */
export interface ServerThatSays {
  readonly baseUrl: string;
  /** Errors that the server logged, oldest first. */
  readonly errors: ReadonlyArray<{ readonly msg: string; readonly operation?: string }>;
  /** Makes every operation return this body. */
  say(body: unknown): void;
  /** Makes every operation fail with this error until the next call of say(). */
  fail(refusal: Refusal): void;
  close(): Promise<void>;
}

export async function startServerThatSays(
  parts: AppParts,
  contractBreach: AppParts['contractBreach'],
): Promise<ServerThatSays> {
  let answer: () => unknown = () => undefined;
  const errors: ServerThatSays['errors'][number][] = [];
  const logger = pino({ level: 'error' }, { write: (line) => errors.push(JSON.parse(line)) });
  const sayIt =
    (id: OperationId): AnyHandler<never> =>
    async (_, reply) =>
      reply(OPERATIONS[id].successStatus as never, answer() as never);
  const handlers = Object.fromEntries(OPERATION_IDS.map((id) => [id, sayIt(id)])) as unknown as Handlers<Contexts>;

  const app = express();
  app.use(requestLog({ ...parts, logger }));
  const inTurn = limitCallsAtOnce(parts);
  app.use(inTurn.takeTurn);
  addOperations(app, { ...parts, contractBreach, logger }, handlers, inTurn);
  app.use(answerFailures({ ...parts, logger }));
  const server = createFastServer(app, { ...parts, logger });
  return {
    baseUrl: await listen(server),
    errors,
    say: (body) => {
      answer = () => body;
    },
    fail: (refusal) => {
      answer = () => {
        throw refusal;
      };
    },
    close: () => close(server),
  };
}
