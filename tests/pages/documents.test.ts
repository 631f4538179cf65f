import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { EXAMPLE_URL, OPERATIONS } from '../../generated/server.ts';
import { writeServedDocs } from '../../scripts/docs/served.ts';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { SERVED } from '../../server/pages/docs.ts';
import { FAKE_DOCS } from '../support/fake-docs.ts';
import { testServer } from '../support/started.ts';

const PUBLIC_URL = 'https://rides.example';
const EXAMPLE_HOST = new URL(EXAMPLE_URL).host;
/** The contract in JSON, with the version of OpenAPI. */
const VERSIONS = { '/openapi.json': '3.1.0', '/openapi-3.0.json': '3.0.3', '/webhooks.json': '3.1.0' };
const CONTRACT_FILES = Object.keys(VERSIONS).flatMap((path) => [path, path.replace('.json', '.yaml')]);
/** The files in memory that no page links to. */
const UNLINKED = ['/robots.txt', '/.well-known/oauth-authorization-server', '/openapi-3.0.yaml', '/webhooks.yaml'];

const folder = mkdtempSync(join(tmpdir(), 'ridehail-docs-'));
beforeAll(() => writeServedDocs(FAKE_DOCS, folder));
afterAll(() => rmSync(folder, { recursive: true }));
const server = testServer('sqlite', { withPages: true, publicUrl: PUBLIC_URL, docsFolder: folder });

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As sent. */
  readonly bytes: Buffer;
  /** Decoded. */
  readonly text: string;
}

const DECODE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};

/** Sends only the headers given, unlike fetch. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request(server.baseUrl + path, { method, headers }, resolve)
      .on('error', reject)
      .end(),
  );
  const bytes = await buffer(response);
  const coding = response.headers['content-encoding'] ?? 'identity';
  const text = bytes.length === 0 ? '' : DECODE[coding]!(bytes).toString();
  return { status: response.statusCode!, headers: response.headers, bytes, text };
}

/** The paths of the start page, of the pages that it leads to, and of their files. */
const paths = new Set(['/', ...UNLINKED]);
let script: string;
/** The documents that the server keeps in memory, compressed. */
let keptFiles: string[];
beforeAll(async () => {
  // also visits the paths that the loop adds
  for (const path of paths) {
    const { headers, text } = await ask(path);
    if (!headers['content-type']?.startsWith('text/html')) continue;
    for (const [, link] of text.matchAll(/\s(?:href|src)="(\/[^"#]*)/g)) {
      // the account pages are not documents, because they require a sign-in
      if (link !== ACCOUNT_PATHS.overview && link !== PORTAL_PATHS.overview) paths.add(link!);
    }
  }
  script = [...paths].find((path) => path.endsWith('.js'))!;
  keptFiles = ['/docs', '/docs/contract.json', script, ...CONTRACT_FILES];
});

test('no document names another server, and all codings have the same content', async () => {
  expect([...paths]).toEqual(expect.arrayContaining(keptFiles));
  for (const path of paths) {
    const plain = await ask(path);
    expect([path, plain.status]).toEqual([path, 200]);
    expect(plain.text, path).not.toContain(EXAMPLE_HOST);
    expect(plain.text, path).not.toContain(encodeURIComponent(EXAMPLE_HOST));
    for (const coding of ['br', 'gzip']) expect((await ask(path, { 'Accept-Encoding': coding })).text).toBe(plain.text);
  }
});

test('the contract is served as YAML and JSON, and its servers, OAuth URLs, links and samples name this server', async () => {
  for (const [path, version] of Object.entries(VERSIONS)) {
    const { headers, text } = await ask(path);
    const yaml = await ask(path.replace('.json', '.yaml'));
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect({ ...parse(yaml.text), 'x-generated': expect.any(String) }).toEqual(JSON.parse(text));
    const { openapi, servers } = JSON.parse(text);
    expect([headers['content-type'], openapi]).toEqual(['application/json; charset=utf-8', version]);
    expect(servers.map(({ url }: { url: string }) => url)).toEqual([PUBLIC_URL]);
  }
  const { text } = await ask('/openapi.json');
  const { flows } = JSON.parse(text).components.securitySchemes.userToken;
  expect(flows.authorizationCode.tokenUrl).toBe(PUBLIC_URL + OPERATIONS.createToken.path);
  const samples = [`curl ${PUBLIC_URL}/v1`, `baseUrl: '${PUBLIC_URL}'`];
  for (const part of [...samples, `${PUBLIC_URL}/routes/`, `](${PUBLIC_URL}/docs#`]) expect(text).toContain(part);
});

test.each([
  ['identity', [undefined, '', 'identity', 'gzip;q=0', 'br;q=0.8, gzip;q=0.5, identity;q=0.9', 'nonsense;;=, ,']],
  // the server has none of these codings and sends the plain file
  ['identity', ['zstd', 'zstd, identity;q=0', '*;q=0']],
  ['gzip', ['gzip', 'GZIP', 'gzip, deflate', 'br;q=0, *', 'br;q=0.5, gzip', 'gzip;q=0.001', 'gzip, *;q=0']],
  // from browsers: the server picks the smallest coding, regardless of the order
  ['br', ['br', 'gzip, deflate, br', 'gzip, deflate, br, zstd', '*']],
])('the coding is %s for Accept-Encoding %j', async (coding, accepted) => {
  for (const each of accepted) {
    const { status, headers } = await ask('/docs', each === undefined ? {} : { 'Accept-Encoding': each });
    expect([each, status, headers['content-encoding'] ?? 'identity']).toEqual([each, 200, coding]);
  }
});

test.each(['br', 'gzip', 'identity'])('in %s, a client gets a file only if it does not have it', async (coding) => {
  const others = ['br', 'gzip', 'identity'].filter((other) => other !== coding);
  for (const path of keptFiles) {
    const inCoding = (other: string, known?: string, method?: string) =>
      ask(path, { 'Accept-Encoding': other, ...(known && { 'If-None-Match': known }) }, method);
    const { status, headers, bytes } = await inCoding(coding);
    const { etag: tag = '', vary, 'cache-control': cached } = headers;
    expect([path, status, headers['content-encoding'] ?? 'identity']).toEqual([path, 200, coding]);
    expect([tag, vary]).toEqual([expect.stringMatching(/^"[\w-]+"$/), expect.stringMatching(/\bAccept-Encoding\b/)]);
    expect(headers['content-length']).toBe(String(bytes.length));

    for (const known of [tag, `W/${tag}`, `"old", ${tag}`, '*']) {
      const again = await inCoding(coding, known);
      expect([path, known, again.status, again.bytes.length]).toEqual([path, known, 304, 0]);
      expect(again.headers).toMatchObject({ etag: tag, vary, 'cache-control': cached });
      expect(again.headers).not.toHaveProperty('content-encoding');
    }
    const tags = await Promise.all(others.map(async (other) => (await inCoding(other)).headers.etag!));
    for (const known of ['"old"', ...tags]) {
      expect([known, (await inCoding(coding, known, 'HEAD')).status]).toEqual([known, 200]);
    }

    const head = await inCoding(coding, undefined, 'HEAD');
    const ofBoth = ({ 'x-request-id': _, 'request-id': __, date: ___, ...others }: IncomingHttpHeaders) => others;
    expect([head.status, head.bytes.length, ofBoth(head.headers)]).toEqual([200, 0, ofBoth(headers)]);
  }
});

test('pages of every origin can read the contract and nothing else, and only the script is cached', async () => {
  for (const path of keptFiles) {
    const { headers } = await ask(path, { Origin: 'https://editor.example' });
    const origin = CONTRACT_FILES.includes(path) ? '*' : undefined;
    const cached = path === script ? 'public, max-age=31536000, immutable' : 'no-cache';
    expect([path, headers['access-control-allow-origin'], headers['cache-control']]).toEqual([path, origin, cached]);
  }
  // for a year, because its name changes with its content
  const elsewhere = await mkdtemp(join(folder, 'changed-'));
  await writeServedDocs(FAKE_DOCS.replace('"a":1', '"a":2'), elsewhere);
  const changed = await readdir(join(elsewhere, SERVED.folder));
  expect(changed).not.toContain(basename(script));
  expect((await ask(`/docs/${changed.find((name) => name.endsWith('.js'))}`)).status).toBe(404);
});

// Linux lists the file descriptors of a process there
test.skipIf(!existsSync('/proc/self/fd'))(
  'responses that no client reads hold only their connections open',
  async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length;
    const large = ['/docs', ...CONTRACT_FILES];
    for (const path of large) await ask(path);
    const before = descriptors();
    const { hostname, port } = new URL(server.baseUrl);
    const sockets = large.map((path) => {
      const socket = connect(Number(port), hostname).pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${new URL(PUBLIC_URL).host}\r\n\r\n`.repeat(1000));
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    // both ends are in this process
    expect(descriptors() - before).toBeLessThanOrEqual(2 * large.length);
    for (const socket of sockets) socket.destroy();
  },
);
