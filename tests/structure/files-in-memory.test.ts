import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourcesIn } from './support/sources.ts';

/** Functions that open a file for each request, and keep it open until the client has read the response. */
const STREAMS = /\b(sendFile|createReadStream|express\.static|serveStatic|res\.download)\b/;

test('no response is streamed from a file, because slow readers would use up file descriptors', () => {
  const sources = sourcesIn('server/');
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((path) => STREAMS.test(readFileSync(path, 'utf8')))).toEqual([]);
});
