import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { geography } from '../../server/cities/geography.ts';
import { COLORS, LUXURY_COLORS, MODELS } from '../../server/domain/fleet/vehicle.ts';
import { PATHS } from '../../server/links.ts';
import { SERVED } from '../../server/pages/docs.ts';
import { FAKE_AREA, FAKE_GEOGRAPHY } from '../support/fake-area.ts';
import { startTestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { pagesOf } from './support.ts';

const PUBLIC_URL = 'https://rides.example';
const HOSTILE = `<script>alert("1")</script>&'`;

const settings = { withPages: true, publicUrl: PUBLIC_URL };
const open = pagesOf(testServer('sqlite', settings));
const production = pagesOf(testServer('sqlite', { ...settings, hasDemo: false, isDevelopment: false }));

/** Opens a page of another server. */
async function openAt(path: string, change: Parameters<typeof startTestServer>[1]) {
  const server = await startTestServer('sqlite', { ...settings, ...change });
  onTestFinished(server.close);
  return pagesOf(server)(path);
}

// the tests with a browser check most rules of accessibility at one width only
test('the style sheet shows and hides nothing by width', () => {
  const blocks = readFileSync('server/pages/style.css', 'utf8').match(/^@media \([^)]*width.*?^\}/gms);
  expect(blocks).not.toBeNull();
  for (const block of blocks!) expect(block).not.toMatch(/\b(display|visibility|content-visibility|opacity|height)\b/);
});

test('the start page links to the docs, the contract the portal and every city, and shows a ride, webhooks and the mock', async () => {
  const { status, type, text, titles } = await open('/');
  expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
  expect(titles).toEqual(['Build with the Ridehail API · Ridehail']);
  for (const path of ['/docs', '/openapi.yaml', '/openapi.json', '/openapi-3.0.json', '/webhooks.json', '/portal']) {
    expect(text).toContain(`href="${path}"`);
  }
  expect(text).toContain('/development/codes | pick code) | pick access_token)&quot; &amp;&amp;');
  for (const id of ['first-ride', 'webhooks', 'mock']) expect(text).toContain(`<pre aria-labelledby="${id}">`);
  for (const { id, name } of geography.areas) expect(text).toContain(`<a href="/pricing/${id}">${name}</a>`);
});

test('the first ride uses the port of the server', async () => {
  const { text } = await openAt('/', { publicUrl: 'http://localhost:8411' });
  expect(text).toContain(`curl -s -u demo:demo-secret http://localhost:8411${OPERATIONS.createToken.path} `);
  expect(text).toContain('PORT=8411 npm run -s demo ');
});

test('without the demo, the start page says how to get and use credentials', async () => {
  const { text } = await production('/');
  for (const words of [
    '<a href="/portal">developer portal</a>, or ask the operator of this server to create one.',
    `curl -s -u &quot;$CLIENT_ID:$CLIENT_SECRET&quot; ${PUBLIC_URL}${OPERATIONS.createToken.path}`,
    `-G ${PUBLIC_URL}${OPERATIONS.estimateCost.path}`,
    'Set a webhook URL in the <a href="/portal">developer portal</a>',
  ]) {
    expect(text).toContain(words);
  }
});

test('robots.txt allows only the start page, the documentation and the prices', async () => {
  const { status, type, text } = await open('/robots.txt');
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toBe('User-agent: *\nAllow: /$\nAllow: /docs\nAllow: /pricing/\nDisallow: /\n');
});

test('only with the demo, the page of missing docs shows the build command, until the docs are built', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ridehail-docs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const path of ['/docs', '/docs/contract.json', '/docs/redoc-0.js']) {
    for (const hasDemo of [true, false]) {
      const { status, text } = await openAt(path, { docsFolder: folder, hasDemo });
      expect([path, status, text.includes('<code>npm run docs</code>')]).toEqual([path, 404, hasDemo]);
    }
  }
  await mkdir(join(folder, SERVED.folder));
  await writeFile(join(folder, SERVED.folder, SERVED.contract), '{}');
  await writeFile(join(folder, SERVED.folder, SERVED.page), '<title>All about rides</title>');
  const { status, titles } = await openAt('/docs', { docsFolder: folder });
  expect([status, titles]).toEqual([200, ['All about rides']]);
});

describe('prices', () => {
  const currencies = ['GBP', 'JPY'].map((currency) => ({ ...FAKE_AREA, id: currency, currency }));
  const workweek = { days: [1, 2, 3, 4, 5], fromHour: 8, toHour: 9, percent: 25 };
  const town = { ...FAKE_AREA, primeTime: [workweek, { days: [5, 6], fromHour: 22, toHour: 24, percent: 75 }] };
  const towns = pagesOf(
    testServer('sqlite', { ...settings, geography: { ...FAKE_GEOGRAPHY, areas: [town, ...currencies] } }),
  );

  test('are listed with Prime Time, taxes and zones', async () => {
    const { status, text, titles } = await towns('/pricing/fakeville');
    expect([status, titles]).toEqual([200, ['Prices in Fakeville · Ridehail']]);
    for (const words of [
      '<dt>Per mile</dt><dd>$1.50</dd>',
      '<td>Monday to Friday</td><td>08:00 to 09:00</td><td>+25%</td>',
      '<td>Friday and Saturday</td><td>22:00 to 24:00</td><td>+75%</td>',
      '<dt>City tax</dt><dd>4%</dd>',
      '<dt>Street fund</dt><dd>$0.35</dd>',
      'Only for pickups in downtown Fakeville.',
    ]) {
      expect(text).toContain(words);
    }
    // in the format of the currency
    expect((await towns('/pricing/GBP')).text).toContain('<dt>Per mile</dt><dd>£1.50</dd>');
    expect((await towns('/pricing/JPY')).text).toContain('<dt>Per mile</dt><dd>¥150</dd>');
  });

  test('of an unknown area are a 404 that does not repeat its name', async () => {
    const { status, text } = await open(`/pricing/${encodeURIComponent(HOSTILE)}`);
    expect(status).toBe(404);
    expect(text).toContain('We don’t serve an area with this name.');
    expect(text).not.toMatch(/script|alert/);
  });
});

test.each([
  ['suspended', 'Contact support', '{&quot;account_disabled&quot;:true}'],
  ['driver-mode', 'Go offline in the driver app', '{&quot;driver_mode&quot;:true}'],
])('the page %s says what a passenger can do and how a developer can test it', async (problem, remedy, traits) => {
  const { status, text } = await open(PATHS.account(problem));
  expect([problem, status]).toEqual([problem, 200]);
  for (const words of ['What you can do', remedy, traits, OPERATIONS.updatePassenger.path])
    expect(text).toContain(words);
  const [says] = text.split('For developers');
  expect(says, 'developer terms').not.toMatch(/database|column|table|sandbox/);
  expect((await production(PATHS.account(problem))).text).not.toContain('For developers');
});

describe('pictures', () => {
  test('show a different car for each ride type and are cached for a day', async () => {
    const rideTypes = Object.keys(geography.rideTypes);
    const cars = await Promise.all(rideTypes.map((rideType) => open(PATHS.car(rideType))));
    for (const { headers } of cars) expect(headers.get('cache-control')).toBe('public, max-age=86400');
    expect(new Set(cars.map(({ text }) => text)).size).toBe(rideTypes.length);
    expect((await open('/pictures/cars/svc_boat.svg')).status).toBe(404);
  });

  const colors = [...new Set<string>([...COLORS, ...LUXURY_COLORS])];
  const vehicle = { make: 'Toyota', model: 'Prius', year: 2023, licensePlate: '', licensePlateState: null };
  const paintOf = async (color: string) => {
    const { text } = await open(PATHS.vehicle({ ...vehicle, color }));
    return text.match(/<path d="[^"]*" fill="(#\w+)"/)?.[1];
  };

  test('show each color of a vehicle differently', async () => {
    const paints = await Promise.all(colors.map(paintOf));
    expect(paints).not.toContain(await paintOf('Chartreuse'));
    expect(new Set(paints).size).toBe(colors.length);
    const { text, titles } = await open(PATHS.vehicle({ ...vehicle, color: 'Dark Gray' }));
    expect(titles).toEqual(['Dark Gray Toyota Prius']);
    expect(text).toContain(await paintOf('Dark Gray'));
  });

  const outlineOf = async (make: string, model: string) => {
    const { text } = await open(PATHS.vehicle({ ...vehicle, make, model, color: 'Black' }));
    return text.match(/<path d="([^"]*)"/)?.[1];
  };

  test('show a vehicle as long only if it seats six', async () => {
    const short = [await outlineOf('Toyota', 'Camry'), await outlineOf('Toyota', 'Prius')];
    for (const [kind, models] of Object.entries(MODELS)) {
      for (const [make, model] of models) {
        const isShort = short.includes(await outlineOf(make, model));
        expect([kind, make, model, isShort]).toEqual([kind, make, model, !/large/i.test(kind)]);
      }
    }
  });

  test('show an unknown vehicle with its markup escaped', async () => {
    const unknown = { ...vehicle, make: HOSTILE, model: '/', color: '%' };
    const { status, type, text } = await open(PATHS.vehicle(unknown));
    expect([status, type]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(text).not.toContain('<script');
  });

  test('show the same person for the same id, and never show the id', async () => {
    const [one, again, other] = await Promise.all([HOSTILE, HOSTILE, 'somebody'].map((id) => open(PATHS.person(id))));
    expect(one?.type).toBe('image/svg+xml; charset=utf-8');
    expect(one?.text).toBe(again?.text);
    expect(one?.text).not.toBe(other?.text);
    expect(one?.text).not.toContain('script');
  });
});

// tests/browser/looks.test.ts covers its look
test('an unknown URL is a page for a browser, and a JSON error for other clients and below the API', async () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const { status, type } = await open(path, { headers, method });
    return `${status} ${type?.split(';')[0]}`;
  };
  expect(await ask('/nothing/here', browser)).toBe('404 text/html');
  expect(await ask('/account/love', browser)).toBe('404 text/html');
  expect((await open('/nothing/here', { headers: browser })).headers.get('vary')).toBe('Origin, Accept');
  for (const accepted of ['*/*', null, 'application/json', 'application/json, text/html;q=0.5']) {
    const headers: Record<string, string> = accepted === null ? {} : { Accept: accepted };
    expect([accepted, await ask('/nothing/here', headers)]).toEqual([accepted, '404 application/json']);
  }
  const apiRoots = new Set(Object.values(OPERATIONS).map(({ path }) => `/${path.split('/')[1]}`));
  for (const path of [...apiRoots].flatMap((root) => [root, `${root}/nothing`])) {
    expect([path, await ask(path, browser)]).toEqual([path, '404 application/json']);
  }
  expect(await ask('/nothing', browser, 'POST')).toBe('404 application/json');
});

test('a page allows only GET and HEAD, and its URL has one spelling', async () => {
  const posted = await open('/docs', { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await open('/', { method: 'HEAD' })).status).toBe(200);
  for (const path of ['/Docs', '/docs/', '/nothing']) expect((await open(path)).status).toBe(404);
});
