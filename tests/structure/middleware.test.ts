import express from 'express';
import { expect, test } from 'vitest';
import { CALLS_AT_ONCE } from '../../generated/server.ts';
import { limitCallsAtOnce } from '../../server/http/calls-at-once.ts';
import { addOperations } from '../../server/http/mount.ts';
import { THROTTLES_IN_MEMORY } from '../../server/limits/throttles.ts';
import type { Parts } from '../../server/parts.ts';
import { theCompiledGuard } from '../support/test-guard.ts';

interface Layer {
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: string; readonly stack: readonly { readonly handle: () => void }[] };
}

test('every middleware of an operation has a name, which stack traces show', () => {
  const parts: Partial<Parts> = {
    publicUrl: '',
    rateLimitMultiplier: 1,
    throttles: THROTTLES_IN_MEMORY,
  };
  const app = express();
  addOperations(
    app,
    { ...parts, contractBreach: 'log', contractGuard: theCompiledGuard() } as Parameters<typeof addOperations>[1],
    {} as never,
    limitCallsAtOnce({ callsAtOnce: CALLS_AT_ONCE, steps: { spentMs: () => 0 } }),
  );
  const routes = (app.router.stack as unknown as readonly Layer[])
    .flatMap(({ handle }) => handle.stack ?? [])
    .flatMap(({ route }) => route ?? []);
  const named = routes.map(({ path, stack }) => [path, stack.map(({ handle }) => handle.name)] as const);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(([, names]) => names.includes(''))).toEqual([]);
});
