import { createServer, type ServerResponse } from 'node:http';
import { SECOND_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { shared } from '../shared.ts';

const PATH = '/metrics';
/** A page is cached for this long, so that frequent scrapes cost nothing extra. */
const PAGE_KEPT_MS = SECOND_MS;
/**
 * Open connections to the port of metrics. Each closes after its response; Prometheus opens one every few seconds.
 * @beyond further ones are closed at once
 */
const MOST_SCRAPERS = 32;
/**
 * A request for metrics, and a silent connection: longer than rendering a page takes.
 * @beyond the connection is closed
 */
const LONGEST_SCRAPE_MS = 5 * SECOND_MS;
/** Headers of a request for metrics. @beyond 431, and the connection closes */
const MOST_SCRAPE_HEAD_BYTES = 8 * 1024;

interface PageParts extends Pick<Parts, 'now' | 'logger'> {
  readonly render: () => Promise<string>;
  readonly mediaType: string;
}

/** A separate port for metrics. Serves `GET /metrics`, and returns 404 for everything else. */
export function metricsServer({ render, mediaType, now, logger }: PageParts) {
  const page = kept(render, now);
  const send = (res: ServerResponse, status: number, body = '') => {
    // closes the connection, because a request body is never read
    const length = Buffer.byteLength(body);
    res.writeHead(status, { 'Content-Type': mediaType, 'Content-Length': length, Connection: 'close' }).end(body);
  };
  const server = createServer(
    {
      headersTimeout: LONGEST_SCRAPE_MS,
      requestTimeout: LONGEST_SCRAPE_MS,
      connectionsCheckingInterval: SECOND_MS,
      maxHeaderSize: MOST_SCRAPE_HEAD_BYTES,
    },
    ({ method, url = '' }, res) => {
      if (method !== 'GET' || url.split('?')[0] !== PATH) return send(res, 404);
      page().then(
        (text) => send(res, 200, text),
        (error: unknown) => {
          logger.error({ err: error }, 'could not render the metrics');
          send(res, 500);
        },
      );
    },
  );
  server.maxConnections = MOST_SCRAPERS;
  server.setTimeout(LONGEST_SCRAPE_MS, (socket) => socket.destroy());
  return {
    /** Rejects when the port is in use. */
    listen: (at: { readonly port: number; readonly host: string }): Promise<void> =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(at, resolve);
      }),
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Shares one page between concurrent requests, and for a while after it was rendered. */
function kept(render: () => Promise<string>, now: () => number): () => Promise<string> {
  let made: { readonly page: string; readonly at: number } | null = null;
  const make = shared(async () => {
    made = { page: await render(), at: now() };
    return made.page;
  });
  return async () => (made !== null && Math.abs(now() - made.at) < PAGE_KEPT_MS ? made.page : make());
}
