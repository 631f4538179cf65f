import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_URL } from '../../generated/server.ts';
import { document, webhookContract } from '../../scripts/contract/read.ts';
import { writeServedDocs } from '../../scripts/docs/served.ts';
import { DEMO } from '../../server/demo.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { MAYA, pathOfRequest, queryOfRequest } from '../support/consent.ts';
import { DOCS_ANCHORS } from '../support/docs-anchors.ts';
import { FAKE_DOCS } from '../support/fake-docs.ts';
import { anchorsInMarkdown, anchorsInPage, linksInMarkdown, linksInPage } from '../support/links-in.ts';
import { testServer } from '../support/started.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';

/*
 * Tests every link on the pages of a server, in the Markdown files and in the contract. No request leaves this machine.
 * For links to other sites, only the format is checked.
 */

/** More pages mean that the server generates links without end. */
const MOST_PAGES = 500;
/** Paths that a checkout does not have. */
const NOT_COMMITTED = /^(\.\.|dist|node_modules|data)(\/|$)/;
const DOCS = '/docs';
/** The owner of the demo application. */
const DEVELOPER = { email: 'developer@example.com', password: DEMO.password };

const docsFolder = mkdtempSync(join(tmpdir(), 'ridehail-links-'));
beforeAll(() => writeServedDocs(FAKE_DOCS, docsFolder));
afterAll(() => rmSync(docsFolder, { recursive: true }));

const settings = { withPages: true, docsFolder, rateLimitMultiplier: 1000 };
const development = testServer('sqlite', settings);
const production = testServer('sqlite', {
  ...settings,
  hasDemo: false,
  isDevelopment: false,
  publicUrl: 'https://rides.example',
});

interface Link {
  /** The page or file that has it. */
  readonly from: string;
  readonly url: URL;
}

/** Opens links of a server. Loads each page once. */
function opener({ baseUrl, parts }: typeof development, visitor: Visitor = newVisitor(baseUrl)) {
  const { origin } = new URL(parts.publicUrl);
  const pages = new Map<string, { readonly fault: string | null; readonly anchors: Set<string>; links: Link[] }>();

  const load = async (path: string) => {
    const { status, markup, url, location } = await visitor.open(path);
    const fault = status === 200 && location === null ? null : `is a ${status}`;
    // the documentation has its headings only after a build
    if (url.pathname === DOCS) return { fault, anchors: new Set(DOCS_ANCHORS.keys()), links: [] };
    const at = new URL(url.pathname + url.search, origin);
    const links = linksInPage(markup).map((link) => ({ from: url.pathname, url: new URL(link, at) }));
    return { fault, anchors: anchorsInPage(markup), links };
  };

  /** Returns the fault of a link, or null. */
  const faultOf = async ({ url }: Link): Promise<string | null> => {
    if (url.origin !== origin) return faultOfOtherSite(url);
    const path = url.pathname + url.search;
    if (!pages.has(path)) pages.set(path, await load(path));
    const { fault, anchors } = pages.get(path)!;
    if (fault !== null) return fault;
    return url.hash === '' || anchors.has(decodeURIComponent(url.hash.slice(1))) ? null : 'has an unknown anchor';
  };

  /** Follows links from page to page. @returns the faults and the paths */
  const followAll = async (...starts: readonly string[]) => {
    const faults = new Set<string>();
    const links: Link[] = starts.map((start) => ({ from: 'the test', url: new URL(start, origin) }));
    const followed = new Set<string>();
    // also visits the links that the loop adds
    for (const link of links) {
      const fault = await faultOf(link);
      if (fault !== null) faults.add(`${link.from}: ${link.url} ${fault}`);
      const path = link.url.pathname + link.url.search;
      if (link.url.origin === origin && !followed.has(path)) links.push(...pages.get(path)!.links);
      followed.add(path);
      expect(pages.size).toBeLessThan(MOST_PAGES);
    }
    return { faults: [...faults], paths: [...pages.keys()] };
  };

  return { faultOf, followAll };
}

/** A link to another site must use https and a public name, and must not contain credentials. */
function faultOfOtherSite({ protocol, hostname, username, password, port, href }: URL): string | null {
  if (protocol !== 'https:' || port !== '') return 'is not https';
  if (username !== '' || password !== '') return 'has credentials';
  return /^https:\/\/([a-z\d-]+\.)+[a-z]{2,}\/[\x21-\x7e]*$/.test(href) ? null : `has no public name: ${hostname}`;
}

describe.each([
  ['a development server', development],
  ['a production server', production],
])('on %s', (_, server) => {
  test('every link from the start page and the consent page works', async () => {
    const { faults, paths } = await opener(server).followAll('/', pathOfRequest());
    expect(faults).toEqual([]);
    const some = [DOCS, ACCOUNT_PATHS.overview, PORTAL_PATHS.overview, `${CONSENT_PATHS.signUp}?${queryOfRequest()}`];
    expect(paths).toEqual(expect.arrayContaining(some));
  });
});

test('every link for a signed-in passenger works', async () => {
  const visitor = newVisitor(development.baseUrl);
  await visitor.open(ACCOUNT_PATHS.overview);
  await visitor.submit(MAYA, ACCOUNT_PATHS.signIn);
  const { faults, paths } = await opener(development, visitor).followAll(ACCOUNT_PATHS.overview);
  expect(faults).toEqual([]);
  const { signIn: _, signOut: __, ...sections } = ACCOUNT_PATHS;
  expect(paths).toEqual(expect.arrayContaining(Object.values(sections)));
});

test('every link for a signed-in developer works', async () => {
  const visitor = newVisitor(development.baseUrl);
  await visitor.open(PORTAL_PATHS.overview);
  await visitor.submit(DEVELOPER);
  const { faults, paths } = await opener(development, visitor).followAll(PORTAL_PATHS.overview);
  expect(faults).toEqual([]);
  // includes the pages of the demo application
  const ofDemo = paths.filter((path) => path.startsWith(`${PORTAL_PATHS.overview}/`) && path.includes(DEMO.clientId));
  expect(ofDemo).not.toEqual([]);
});

describe('every link works', () => {
  const files = ['.', 'docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => normalize(join(folder, name))),
  );
  const texts = new Map([
    ['the contract', descriptionsIn(document)],
    ['the contract of webhooks', descriptionsIn(webhookContract)],
    ...files.map((file) => [file, readFileSync(file, 'utf8')] as const),
  ]);

  test.each([...texts])('in %s', async (from, text) => {
    const { faultOf } = opener(development);
    const faults: string[] = [];
    for (const link of new Set(linksInMarkdown(text))) {
      const isWhole = /^[a-z][a-z\d+.-]*:/i.test(link);
      const fault = isWhole ? await faultOf({ from, url: new URL(link) }) : faultInRepository(from, link);
      if (fault !== null) faults.push(`${link} ${fault}`);
    }
    expect(faults).toEqual([]);
  });

  test.each([
    ['README.md', 'docs/architecture.md', 'docs/guides/first-ride.md', 'docs/pictures/ride-dark.png'],
    ['docs/guides/webhooks.md', `${EXAMPLE_URL}/docs#tag/Webhooks`, 'first-ride.md#take-the-ride'],
    ['the contract', `${EXAMPLE_URL}/portal`, `${EXAMPLE_URL}/docs#section/Applications`],
    ['docs/limits.md', 'deploy.md#settings', '../server/operator/command-socket.ts', '#http'],
  ])('and the test finds the links in %s', (name, ...some) => {
    expect(linksInMarkdown(texts.get(name)!)).toEqual(expect.arrayContaining(some));
  });
});

/** Returns the descriptions in a contract. */
function descriptionsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const texts = Object.entries(value).map(([key, inner]) =>
    key === 'description' && typeof inner === 'string' ? inner : descriptionsIn(inner),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Checks a link from a Markdown file to a file or folder, with or without an anchor. */
function faultInRepository(file: string, link: string): string | null {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
  if (NOT_COMMITTED.test(target) || !existsSync(target)) return 'is not in the repository';
  if (anchor === undefined) return null;
  const isThere = target.endsWith('.md') && anchorsInMarkdown(readFileSync(target, 'utf8')).has(anchor);
  return isThere ? null : 'has an unknown anchor';
}
