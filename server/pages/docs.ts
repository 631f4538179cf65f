import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import Negotiator from 'negotiator';
import { GENERATED_FOLDER } from '../files.ts';
import { withPublicUrl } from '../links.ts';
import type { Parts } from '../parts.ts';
import { answerNotFound, type Get, html, NOTHING } from './page.ts';

/** Files that `npm run docs` writes for the server, with the page last. The scripts are in the same folder. */
export const SERVED = { folder: 'served', page: 'page.html', contract: 'contract.json' } as const;
/** Script names contain a hash of the content. */
const FOREVER = 'public, max-age=31536000, immutable';
const JSON_TYPE = 'application/json; charset=utf-8';
const YAML_TYPE = 'application/yaml; charset=utf-8';

const CONTRACT = html`The contract is at <a href="/openapi.yaml">openapi.yaml</a>.`;
const NOT_BUILT = { lead: html`The documentation hasn’t been built yet.`, body: html`<p>${CONTRACT}</p>` };
/** For visitors who can build the docs. */
const HOW_TO_BUILD = {
  lead: html`The documentation hasn’t been built yet. To build it, run:`,
  body: html`<pre aria-label="Command"><code>npm run docs</code></pre>
    <p>Then reload this page. You don’t need to restart the server. ${CONTRACT}</p>`,
};

interface Docs {
  readonly page: KeptFile;
  readonly contract: KeptFile;
  readonly scripts: ReadonlyMap<string, KeptFile>;
}

/** Serves the docs, or a page that says how to build them. @param folder the output folder of `npm run docs` */
export function serveDocs(
  get: Get,
  { publicUrl, hasDemo }: Pick<Parts, 'publicUrl' | 'hasDemo'>,
  folder: string,
): void {
  const { lead, body } = hasDemo ? HOW_TO_BUILD : NOT_BUILT;
  const served = join(folder, SERVED.folder);
  const load = keepFirst(() => loadDocs(served, publicUrl));
  const serve = (path: string, choose: (docs: Docs, script: string) => KeptFile | undefined) =>
    get(path, async (req, res) => {
      if (!existsSync(join(served, SERVED.page))) return answerNotFound(res, lead, body);
      const file = choose(await load(), `${req.params.script}.js`);
      if (file === undefined) return answerNotFound(res, html`This script doesn’t exist.`, NOTHING);
      await answerFile(req, res, file);
    });
  serve('/docs', ({ page }) => page);
  serve(`/docs/${SERVED.contract}`, ({ contract }) => contract);
  serve('/docs/:script.js', ({ scripts }, script) => scripts.get(script));
}

async function loadDocs(folder: string, publicUrl: string): Promise<Docs> {
  const here = async (name: string) => withPublicUrl(await readFile(join(folder, name), 'utf8'), publicUrl);
  const page = await here(SERVED.page);
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' };
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  return {
    page: keepFile(Buffer.from(page), { ...headers, 'Content-Security-Policy': policyOf(page) }),
    contract: keepFile(Buffer.from(await here(SERVED.contract)), { ...headers, 'Content-Type': JSON_TYPE }),
    scripts: new Map(await Promise.all(names.map(async (name) => [name, await loadScript(folder, name)] as const))),
  };
}

/** Scripts don't contain the server's URL, so `npm run docs` compresses them. */
async function loadScript(folder: string, name: string): Promise<KeptFile> {
  const [content, br, gzip] = await Promise.all(
    ['', '.br', '.gz'].map((ending) => readFile(join(folder, `${name}${ending}`))),
  );
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': FOREVER };
  return keepFile(content!, headers, { br, gzip });
}

/** Allows the page's inline scripts by their hashes, and its inline styles. */
function policyOf(page: string): string {
  const inline = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script!);
  const hashes = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Files from `generated/`, served at the path of their name. */
const CONTRACT_FILES: Readonly<Record<string, string>> = {
  'openapi.yaml': YAML_TYPE,
  'openapi.json': JSON_TYPE,
  'openapi-3.0.yaml': YAML_TYPE,
  'openapi-3.0.json': JSON_TYPE,
  'webhooks.yaml': YAML_TYPE,
  'webhooks.json': JSON_TYPE,
};

/** Serves the contract with this server's URL. Allows all origins. */
export function serveContract(get: Get, publicUrl: string): void {
  for (const [name, mediaType] of Object.entries(CONTRACT_FILES)) {
    const headers = {
      'Content-Type': mediaType,
      'Cache-Control': 'no-cache',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    };
    const load = keepFirst(async () => {
      const text = await readFile(join(GENERATED_FOLDER, name), 'utf8');
      return keepFile(Buffer.from(withPublicUrl(text, publicUrl)), headers);
    });
    get(`/${name}`, async (req, res) => answerFile(req, res, await load()));
  }
}

/** The content codings, smallest result first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
type Coding = (typeof CODINGS)[number];

interface KeptFile {
  /** Response headers, the same for every coding. */
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  in(coding: Coding): Promise<Buffer>;
}

/** Almost as small as the highest quality, in a twentieth of the time. */
const BROTLI_QUALITY = 9;
const COMPRESS: Readonly<Record<Exclude<Coding, 'identity'>, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** Compresses the content on first use. @param compressed content that is already compressed */
function keepFile(
  content: Buffer,
  headers: KeptFile['headers'],
  compressed: Partial<Record<Coding, Buffer>> = {},
): KeptFile {
  const kept: Partial<Record<Coding, Promise<Buffer>>> = {};
  const make = async (coding: Coding) =>
    coding === 'identity' ? content : (compressed[coding] ?? COMPRESS[coding](content));
  return {
    headers,
    version: createHash('sha256').update(content).digest('base64url'),
    in: (coding) => (kept[coding] ??= make(coding)),
  };
}

/** Sends a file in the client's preferred coding, or 304 if the client has it. */
async function answerFile(req: Request, res: Response, file: KeptFile): Promise<void> {
  // a client that rejects every coding gets the file uncompressed (RFC 9110, section 12.5.3)
  const [coding = 'identity'] = new Negotiator(req).encodings(CODINGS, { preferred: CODINGS });
  res.set(file.headers).set('ETag', `"${file.version}-${coding}"`).vary('Accept-Encoding');
  if (coding !== 'identity' && !req.fresh) res.set('Content-Encoding', coding);
  // calls-at-once.ts counts no bytes that all clients share
  res.locals.isShared = true;
  res.send(await file.in(coding));
}

/** Calls `make` once and keeps the result. After a failure, the next call tries again. */
function keepFirst<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
