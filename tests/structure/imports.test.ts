import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importsOf, sourcesIn } from './support/sources.ts';

/**
 * The other folders and files of server/ that each of its folders may import, and `generated`. Files outside these
 * folders, such as app.ts, may import any.
 */
const ALLOWED = {
  domain: '',
  // before limits, because the first match counts
  'limits/redis': 'domain limits signing-keys.ts',
  limits: 'domain',
  cities: 'domain',
  // files.ts: the folder of the migrations
  store: 'domain files.ts',
  rides: 'domain limits store webhooks parts.ts',
  // demo.ts: the application whose passengers the sweep keeps
  workers: 'domain limits store rides webhooks parts.ts audit.ts generated demo.ts',
  simulated: 'domain',
  metrics: 'domain store parts.ts shared.ts build.ts logged-error.ts generated',
  traces: 'domain parts.ts shared.ts logged-error.ts generated',
  // demo.ts: the application that no command may change
  operator: 'domain store applications parts.ts links.ts developers audit.ts log.ts demo.ts',
  // main.ts: ridehail-server start
  cli: 'domain store operator config.ts audit.ts log.ts main.ts build.ts generated',
  developers: 'domain store oauth sign-in parts.ts links.ts audit.ts',
  present: 'domain links.ts price-tokens.ts generated',
  webhooks: 'domain store present parts.ts shared.ts links.ts generated files.ts validators.ts limits',
  oauth: 'domain limits store links.ts generated',
  // demo.ts: the page at the demo application's redirect URI
  pages: 'domain store parts.ts links.ts files.ts generated demo.ts',
  'sign-in': 'domain store oauth pages http limits parts.ts links.ts audit.ts generated',
  site: 'domain limits store oauth pages http sign-in parts.ts audit.ts',
  // demo.ts: the demo passengers on the sign-in page of a development server
  consent: 'domain store oauth pages http sign-in parts.ts links.ts audit.ts generated demo.ts',
  // signing-keys.ts: the key for codes that verify a phone
  account:
    'domain store oauth pages http sign-in site consent present workers limits ' +
    'parts.ts links.ts audit.ts generated signing-keys.ts',
  applications: 'domain limits store oauth webhooks parts.ts audit.ts',
  // demo.ts: the demo developer on the sign-in page of a development server
  portal:
    'domain store oauth pages http applications sign-in webhooks developers site limits ' +
    'parts.ts links.ts audit.ts generated demo.ts',
  // before http, because the first match counts. Only app.ts imports it: the live world works without it
  'http/operations/sandbox': 'domain store oauth present webhooks rides workers http parts.ts generated',
  // before http. It changes the demo application as an operator would
  'http/development.ts': 'domain oauth store applications http parts.ts generated demo.ts',
  http:
    'domain store oauth present webhooks rides limits ' +
    'parts.ts shared.ts links.ts files.ts build.ts price-tokens.ts audit.ts logged-error.ts validators.ts generated',
  client: 'generated',
  generated: '',
};
const rooted = (name: string) =>
  `${/^(client|generated)$/.test(name) ? '' : 'server/'}${name}${name.endsWith('.ts') ? '' : '/'}`;
const ROOMS = Object.fromEntries(
  Object.entries(ALLOWED).map(([room, others]) => [rooted(room), others.split(' ').filter(Boolean).map(rooted)]),
);

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

test('no response is streamed from a file, because slow readers would use up file descriptors', () => {
  // these open a file for each request, and keep it open until the client has read the response
  const streams = /\b(sendFile|createReadStream|express\.static|serveStatic|res\.download)\b/;
  const ofServer = sources.filter((file) => file.startsWith('server/'));
  expect(ofServer.filter((file) => streams.test(readFileSync(file, 'utf8')))).toEqual([]);
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
