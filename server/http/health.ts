import { Router } from 'express';
import type { Parts } from '../parts.ts';
import { methodNotAllowed } from './failures.ts';

/** `/healthz`: the process and its database answer. `/readyz`: they do, and the server is not draining. */
export function healthRouter({ store }: Pick<Parts, 'store'>, isDraining: () => boolean): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', async (_req, res) => {
    const isHealthy = await answers(store);
    res.status(isHealthy ? 200 : 503).json({ status: isHealthy ? 'ok' : 'unavailable' });
  });
  router.get('/readyz', async (_req, res) => {
    const isReady = !isDraining() && (await answers(store));
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'unavailable' });
  });
  router.route(['/healthz', '/readyz']).all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}

function answers(store: Parts['store']): Promise<boolean> {
  return store.ping().then(
    () => true,
    () => false,
  );
}
