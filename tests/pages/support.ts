import { createServer } from 'node:http';
import express, { type Express } from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { answerFailures, notFound } from '../../server/http/failures.ts';
import { pageNotFound } from '../../server/pages/not-found.ts';
import { pagesRouter } from '../../server/pages/router.ts';
import type { Parts } from '../../server/parts.ts';
import { close, listen } from '../support/listen.ts';
import { started } from '../support/started.ts';

/** A response with the titles in its text. */
export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
  readonly titles: readonly string[];
}

export interface PageServer {
  get(path: string, init?: RequestInit): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts a page server for the tests in a file or a `describe`. */
export function testPages(parts: Partial<Parts>): PageServer {
  return started(() => servePages(parts), beforeAll, afterAll);
}

/** Serves only the pages, with only the parts that they need. */
export function servePages(parts: Partial<Parts>): Promise<PageServer> {
  return serve((app) => app.use(pagesRouter(parts as Parts)));
}

export async function serve(mount: (app: Express) => void): Promise<PageServer> {
  const app = express();
  app.enable('case sensitive routing');
  app.enable('strict routing');
  mount(app);
  app.use(pageNotFound, notFound, answerFailures({ logger: pino({ level: 'silent' }), publicUrl: '' }));
  const server = createServer(app);
  const baseUrl = await listen(server);
  return {
    get: async (path, init) => {
      const response = await fetch(baseUrl + path, init);
      const text = await response.text();
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        headers: response.headers,
        text,
        titles: [...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title!),
      };
    },
    close: () => close(server),
  };
}
