import type { IRouter, RequestHandler } from 'express';
import { BUILD } from '../build.ts';
import { withoutQuotes } from '../logged-error.ts';
import type { Parts } from '../parts.ts';
import { shared } from '../shared.ts';
import { methodNotAllowed } from './failures.ts';

type HealthParts = Pick<Parts, 'logger'> & { readonly store: Pick<Parts['store'], 'ping' | 'assertMigrated'> };

const PROBES = ['/healthz', '/readyz'] as const;

export function isProbe(path: string): boolean {
  return (PROBES as readonly string[]).includes(path);
}

/**
 * `/healthz`: the process runs, and its database responds and accepts writes. `/readyz`: additionally, the tables match
 * this server's code, and the server is not draining. `/healthz` ignores mismatched tables, because a restart would not
 * help. It names the build, too.
 */
export function addProbes(router: IRouter, { store, logger }: HealthParts, isDraining: () => boolean): void {
  const isHealthy = logged(logger, 'the database does not work', () => store.ping());
  const isMigrated = logged(logger, 'not ready: the tables do not match this server', () => store.assertMigrated());
  const refuse = methodNotAllowed(['GET', 'HEAD']);
  const probe = (path: (typeof PROBES)[number], answer: RequestHandler) => router.route(path).get(answer).all(refuse);

  probe('/healthz', async (_req, res) => {
    const is = await isHealthy();
    res.status(is ? 200 : 503).json({ status: is ? 'ok' : 'unavailable', ...BUILD });
  });
  probe('/readyz', async (_req, res) => {
    const isReady = !isDraining() && (await isHealthy()) && (await isMigrated());
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'unavailable' });
  });
}

/** Whether a check succeeds. Logs a new problem once. Concurrent probes, which have no limit, share one check. */
function logged(logger: Parts['logger'], message: string, check: () => Promise<void>): () => Promise<boolean> {
  let known: string | null = null;
  return shared(async () => {
    const problem = await check().then(
      () => null,
      (error: unknown) => withoutQuotes(String(error)),
    );
    if (problem !== null && problem !== known) logger.error({ problem }, message);
    known = problem;
    return problem === null;
  });
}
