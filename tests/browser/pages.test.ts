import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { COLORS, LUXURY_COLORS, MODELS } from '../../server/domain/fleet/vehicle.ts';
import { PATHS } from '../../server/links.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, startRiding, storedRide } from '../support/take-ride.ts';
import { brokenAmong } from './support/in-page.js';
import { faultsOfLooks } from './support/looks.ts';
import { visitor } from './support/visitor.ts';

const STATUSES = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled'] as const;

describe.skipIf(!runsBrowserTests)('the pages, in a browser', () => {
  const server = testServer('sqlite', { withPages: true });
  const { arrive, newPage, complaints } = visitor(() => [server.baseUrl]);
  const routes: string[] = [];
  beforeAll(async () => {
    const world = await server.newWorld();
    for (const status of STATUSES) {
      const riding = await startRiding(server, { world });
      if (status === 'canceled') await riding.api.cancelRide({ params: riding.params });
      await advanceUntil(server, riding, status);
      routes.push(PATHS.route(await storedRide(server, world, riding.rideId)));
    }
  });

  test.each([
    ['the start page', () => ['/']],
    ['prices', () => geography.areas.map(({ id }) => PATHS.pricing(id))],
    ['account problems', () => ['suspended', 'driver-mode'].map(PATHS.account)],
    ['rides', () => routes],
  ])('shows %s without faults, at any width and in any color scheme', async (_what, paths) => {
    const page = await arrive();
    for (const path of paths()) {
      const response = await page.goto(server.baseUrl + path);
      expect(response?.status(), path).toBe(200);
      expect(await faultsOfLooks(page, `page ${path}`), path).toEqual([]);
    }
  });

  test('follows a link to another site without sending a referrer', async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer((req, res) => {
      // the browser also requests the icon of that site
      if (req.url === '/') asked.push(req.headers.referer);
      res.end();
    }).listen(0, 'localhost');
    await once(elsewhere, 'listening');
    onTestFinished(() => void elsewhere.close());
    const { port } = elsewhere.address() as AddressInfo;
    const page = await arrive();
    for (const path of ['/', PATHS.account('suspended'), ...routes.slice(0, 1)]) {
      await page.goto(server.baseUrl + path);
      // a string, because it runs in the page
      await page.evaluate(`location.href = 'http://localhost:${port}/'`);
      await page.waitForURL(`http://localhost:${port}/`);
    }
    expect(asked).toEqual([undefined, undefined, undefined]);
    expect(complaints.splice(0)).toEqual(
      asked.map(() => expect.stringContaining(`asks for http://localhost:${port}/`)),
    );
  });

  test('a dead link shows a page', async () => {
    const page = await arrive();
    const response = await page.goto(`${server.baseUrl}/nothing/here`);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await faultsOfLooks(page, 'ride')).toEqual([]);
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByRole('heading', { name: 'Build with the Ridehail API' }).waitFor();
  });

  test('every picture loads, also in a page of another origin', async () => {
    const vehicles = Object.values(MODELS)
      .flat()
      .flatMap(([make, model]) => [...new Set([...COLORS, ...LUXURY_COLORS])].map((color) => ({ make, model, color })));
    const pictures = [
      ...[...geography.rideTypes.keys()].map(PATHS.car),
      ...vehicles.map((car) => PATHS.vehicle({ ...car, year: 2023, licensePlate: '', licensePlateState: null })),
      ...Array.from({ length: 50 }, (_, i) => PATHS.person(`person-${i}`)),
      '/favicon.svg',
    ];
    // localhost and 127.0.0.1 are different sites; bypassCSP stands for a site whose policy allows our pictures
    const page = await newPage({ bypassCSP: true });
    await page.goto(server.baseUrl.replace('127.0.0.1', 'localhost'));
    complaints.length = 0;
    const broken = await page.evaluate(
      brokenAmong,
      pictures.map((path) => server.baseUrl + path),
    );
    expect(broken).toEqual([]);
  });
});
