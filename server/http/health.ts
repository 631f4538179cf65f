import { Router } from 'express';
import type { Parts } from '../parts.ts';
import { methodNotAllowed } from './failures.ts';

/**
 * `/healthz`: the process works, and its database answers and takes writes. `/readyz`: this too, the tables are those of
 * this server's code, and the server is not draining. Other tables do not count for `/healthz`: no restart helps.
 */
export function healthRouter({ store, logger }: Pick<Parts, 'store' | 'logger'>, isDraining: () => boolean): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const isHealthy = logged(logger, 'the database does not work', () => store.ping());
  const isMigrated = logged(logger, 'not ready: the tables are not those of this server', () => store.assertMigrated());

  router.get('/healthz', async (_req, res) => {
    const is = await isHealthy();
    res.status(is ? 200 : 503).json({ status: is ? 'ok' : 'unavailable' });
  });
  router.get('/readyz', async (_req, res) => {
    const isReady = !isDraining() && (await isHealthy()) && (await isMigrated());
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'unavailable' });
  });
  router.route(['/healthz', '/readyz']).all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}

/** Whether a check succeeds. Logs each problem when it appears, not at every probe. */
function logged(logger: Parts['logger'], message: string, check: () => Promise<void>): () => Promise<boolean> {
  let known: string | null = null;
  return async () => {
    const problem = await check().then(
      () => null,
      (error: unknown) => String(error),
    );
    if (problem !== null && problem !== known) logger.error({ problem }, message);
    known = problem;
    return problem === null;
  };
}
