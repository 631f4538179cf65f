import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importsOf, sourcesIn } from './support/sources.ts';

/** Only app.ts imports these: the live world works without them. */
const SANDBOX = 'server/http/operations/sandbox/';

/**
 * The other folders and files that each folder may import. Files outside these folders, such as app.ts, may import any.
 */
const ROOMS: Record<string, string[]> = {
  'server/domain/': [],
  // before limits/, because the first match counts
  'server/limits/redis/': ['server/domain/', 'server/limits/', 'server/signing-keys.ts'],
  'server/limits/': ['server/domain/'],
  'server/cities/': ['server/domain/'],
  'server/store/': ['server/domain/'],
  'server/rides/': [...['server/domain/', 'server/store/', 'server/webhooks/', 'server/parts.ts']],
  'server/workers/': [
    'server/domain/',
    'server/limits/',
    'server/store/',
    'server/rides/',
    'server/webhooks/',
    'server/parts.ts',
    'server/audit.ts',
    'generated/',
  ],
  'server/simulated/': ['server/domain/'],
  'server/metrics/': [
    ...['server/domain/', 'server/store/', 'server/parts.ts', 'server/files.ts', 'server/log.ts', 'generated/'],
  ],
  'server/traces/': ['server/domain/', 'server/parts.ts', 'server/log.ts', 'generated/'],
  'server/operator/': [
    ...['server/domain/', 'server/store/', 'server/applications/', 'server/parts.ts', 'server/links.ts'],
    ...['server/developers/', 'server/audit.ts', 'server/log.ts'],
    'server/demo.ts', // the application that no command may change
  ],
  'server/cli/': [
    ...['server/domain/', 'server/store/', 'server/operator/', 'server/config.ts', 'server/audit.ts', 'server/log.ts'],
    'server/main.ts', // ridehail-server start
  ],
  'server/developers/': [
    ...['server/domain/', 'server/store/', 'server/oauth/', 'server/sign-in/', 'server/parts.ts', 'server/links.ts'],
    'server/audit.ts',
  ],
  'server/present/': [...['server/domain/', 'server/links.ts', 'server/price-tokens.ts', 'generated/']],
  'server/webhooks/': [
    ...['server/domain/', 'server/store/', 'server/present/', 'server/parts.ts', 'server/links.ts', 'generated/'],
    ...['server/files.ts', 'server/validators.ts', 'server/limits/'],
  ],
  'server/oauth/': ['server/domain/', 'server/limits/', 'server/store/', 'server/links.ts', 'generated/'],
  'server/pages/': [
    ...['server/domain/', 'server/store/', 'server/parts.ts', 'server/links.ts', 'server/files.ts', 'generated/'],
    'server/demo.ts', // the page at the demo application's redirect URI
  ],
  'server/sign-in/': [
    ...['server/domain/', 'server/store/', 'server/oauth/', 'server/pages/', 'server/http/', 'server/limits/'],
    ...['server/parts.ts', 'server/links.ts', 'server/audit.ts', 'generated/'],
  ],
  'server/site/': [
    ...['server/domain/', 'server/store/', 'server/oauth/', 'server/pages/', 'server/http/', 'server/sign-in/'],
    ...['server/parts.ts', 'server/audit.ts'],
  ],
  'server/consent/': [
    ...['server/domain/', 'server/store/', 'server/oauth/', 'server/pages/', 'server/http/', 'server/sign-in/'],
    ...['server/parts.ts', 'server/links.ts', 'server/audit.ts', 'generated/'],
    'server/demo.ts', // the demo passengers on the sign-in page of a development server
  ],
  'server/account/': [
    ...['server/domain/', 'server/store/', 'server/oauth/', 'server/pages/', 'server/http/', 'server/sign-in/'],
    ...['server/site/', 'server/consent/', 'server/present/', 'server/workers/', 'server/limits/', 'server/parts.ts'],
    ...['server/links.ts', 'server/audit.ts', 'generated/'],
    'server/signing-keys.ts', // the key for codes that verify a phone
  ],
  'server/applications/': [
    ...['server/domain/', 'server/store/', 'server/oauth/', 'server/webhooks/', 'server/parts.ts', 'server/audit.ts'],
  ],
  'server/portal/': [
    ...['server/domain/', 'server/store/', 'server/oauth/', 'server/pages/', 'server/http/', 'server/applications/'],
    ...['server/sign-in/', 'server/webhooks/', 'server/parts.ts', 'server/links.ts', 'server/audit.ts', 'generated/'],
    ...['server/developers/', 'server/site/', 'server/limits/'],
    'server/demo.ts', // the demo developer on the sign-in page of a development server
  ],
  // before http/, because the first match counts
  [SANDBOX]: [
    ...['server/domain/', 'server/store/', 'server/oauth/', 'server/present/', 'server/webhooks/', 'server/rides/'],
    ...['server/workers/', 'server/http/', 'server/parts.ts', 'generated/'],
  ],
  'server/http/': [
    ...['server/domain/', 'server/store/', 'server/oauth/', 'server/present/', 'server/webhooks/', 'server/rides/'],
    ...['server/parts.ts', 'server/links.ts', 'server/files.ts', 'server/price-tokens.ts', 'generated/'],
    ...['server/audit.ts', 'server/log.ts', 'server/validators.ts', 'server/limits/'],
    'server/demo.ts', // the development route with the demo application's credentials
  ],
  'client/': ['generated/'],
  'generated/': [],
};

/** Packages without side effects. */
const PURE = /^(node:crypto|luxon|uuid|@turf\/[\w-]+)$/;

const sources = sourcesIn('server', 'client', 'scripts', 'bench', 'generated');

test('every folder of the server is in the table of allowed imports', () => {
  expect(sources.filter((file) => /^server\/\w+\//.test(file) && roomOf(file) === undefined)).toEqual([]);
});

test('the map in docs/architecture.md lists each file and folder of the server once', () => {
  const map = readFileSync('docs/architecture.md', 'utf8');
  const ofServer = map.slice(map.indexOf('\nserver/\n'), map.indexOf('\ndeploy/ '));
  // two spaces start an entry, and two spaces end each of its names
  const named = [...ofServer.matchAll(/^ {2}(?! )((?:\S+ {2})+)/gm)].flatMap(([, names]) => names!.trim().split(/ +/));
  expect(named.map((name) => name.replace(/\/$/, '')).sort()).toEqual(readdirSync('server').sort());
});

test('a folder imports only what the table allows', () => {
  const intrusions = sources.flatMap((file) => {
    const room = roomOf(file);
    if (room === undefined) return [];
    const ours = importsOf(file).filter(isOurs);
    return ours.filter((target) => !mayEnter(room, target)).map((target) => `${file} imports ${target}`);
  });
  expect(intrusions).toEqual([]);
});

test('the domain imports only packages without side effects', () => {
  const impure = sources
    .filter((file) => file.startsWith('server/domain/'))
    .flatMap((file) => importsOf(file).filter((target) => !isOurs(target) && !PURE.test(target)));
  expect(impure).toEqual([]);
});

test('no script imports a test or a bench, and no bench a test', () => {
  const wrong = sources.filter((file) =>
    importsOf(file).some(
      (target) => target.startsWith('tests/') || (!file.startsWith('bench/') && /^bench\//.test(target)),
    ),
  );
  expect(wrong).toEqual([]);
});

test('only `ridehail-server start` imports main.ts', () => {
  expect(sources.filter((file) => importsOf(file).includes('server/main.ts'))).toEqual(['server/cli/start.ts']);
});

test('no file imports itself, even indirectly', () => {
  expect(circlesAmong(sources)).toEqual([]);
});

/** A nested folder needs its own permission. */
function mayEnter(room: string, target: string): boolean {
  const other = roomOf(target);
  return other === room || ROOMS[room]!.includes(other ?? target);
}

function roomOf(file: string): string | undefined {
  return Object.keys(ROOMS).find((room) => file.startsWith(room));
}

function isOurs(target: string): boolean {
  return /^(server|client|scripts|bench|generated|tests)\//.test(target);
}

/** The import cycles, each as a path that starts and ends with the same file. */
function circlesAmong(files: string[]): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, way: string[]): void => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file) || !files.includes(file)) return;
    for (const target of importsOf(file)) walk(target, [...way, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  return circles;
}
