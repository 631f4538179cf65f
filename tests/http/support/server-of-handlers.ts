import express from 'express';
import { type AnyHandler, type Handlers, OPERATIONS, type OperationId, reply } from '../../../generated/server.ts';
import type { AppParts } from '../../../server/app.ts';
import type { Contexts } from '../../../server/http/caller.ts';
import { limitCallsAtOnce } from '../../../server/http/calls-at-once.ts';
import { answerFailures } from '../../../server/http/failures.ts';
import { createFastServer } from '../../../server/http/fast-server.ts';
import { addOperations } from '../../../server/http/mount.ts';
import { trustProxies } from '../../../server/http/network.ts';
import { requestLog } from '../../../server/http/request-log.ts';
import { close, listen } from '../../support/listen.ts';
import { OPERATION_IDS } from '../../support/operations.ts';

export interface ServerOfHandlers {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts a server on which every handler runs `work` and then succeeds with its result as the body. */
export async function startServerOfHandlers(
  parts: AppParts,
  work: (operation: OperationId) => Promise<unknown>,
  mostKnownCredentials?: number,
  contractBreach: AppParts['contractBreach'] = 'log',
  mostLeftUnread?: number,
): Promise<ServerOfHandlers> {
  const handlerOf =
    (id: OperationId): AnyHandler<never> =>
    async () =>
      reply(OPERATIONS[id].successStatus as never, (await work(id)) as never);
  const handlers = Object.fromEntries(OPERATION_IDS.map((id) => [id, handlerOf(id)])) as unknown as Handlers<Contexts>;
  const app = express();
  trustProxies(app, parts.trustedProxies);
  app.use(requestLog(parts));
  const inTurn = limitCallsAtOnce(parts, mostKnownCredentials, mostLeftUnread);
  app.use(inTurn.takeTurn);
  addOperations(app, { ...parts, contractBreach }, { live: handlers, sandbox: handlers }, inTurn);
  app.use(answerFailures(parts));
  const server = createFastServer(app, parts);
  return { baseUrl: await listen(server), close: () => close(server) };
}
