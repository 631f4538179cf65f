import type { Router } from 'express';
import { onTestFinished } from 'vitest';
import type { AppParts } from '../../../server/app.ts';
import { createApp } from '../../../server/app.ts';
import { createFastServer } from '../../../server/http/fast-server.ts';
import { close, listen } from '../../support/listen.ts';
import { watched } from '../../support/watch.ts';

/** Serves extra routers next to the contract until the test ends. @returns the base URL */
export async function serveWith(parts: AppParts, routers: readonly Router[]): Promise<string> {
  const app = createApp(parts, { routers, isDraining: () => false });
  const server = createFastServer(watched(app), parts);
  onTestFinished(() => close(server));
  return listen(server);
}
