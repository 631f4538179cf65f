import express from 'express';
import { type AnyHandler, type Handlers, OPERATIONS, type OperationId, reply } from '../../../generated/server.ts';
import type { AppParts } from '../../../server/app.ts';
import type { Contexts } from '../../../server/http/caller.ts';
import { limitCallsAtOnce } from '../../../server/http/calls-at-once.ts';
import { answerFailures } from '../../../server/http/failures.ts';
import { createFastServer } from '../../../server/http/fast-server.ts';
import { addOperations } from '../../../server/http/mount.ts';
import { trustProxies } from '../../../server/http/network.ts';
import { close, listen } from '../../support/listen.ts';
import { OPERATION_IDS } from '../../support/operations.ts';

export interface ServerOfHandlers {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts a server on which every handler runs `work` and then succeeds without a body. */
export async function startServerOfHandlers(
  parts: AppParts,
  work: (operation: OperationId) => Promise<void>,
  mostKnownCredentials?: number,
): Promise<ServerOfHandlers> {
  const handlerOf =
    (id: OperationId): AnyHandler<never> =>
    async () => {
      await work(id);
      return reply(OPERATIONS[id].successStatus as never, undefined as never);
    };
  const handlers = Object.fromEntries(OPERATION_IDS.map((id) => [id, handlerOf(id)])) as unknown as Handlers<Contexts>;
  const app = express();
  trustProxies(app, parts.trustedProxies);
  const inTurn = limitCallsAtOnce(parts, mostKnownCredentials);
  app.use(inTurn.takeTurn);
  addOperations(app, { ...parts, contractBreach: 'log' }, handlers, inTurn);
  app.use(answerFailures(parts));
  const server = createFastServer(app, parts);
  return { baseUrl: await listen(server), close: () => close(server) };
}
