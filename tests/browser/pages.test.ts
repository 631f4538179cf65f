import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { COLORS, LUXURY_COLORS, MODELS } from '../../server/domain/fleet/vehicle.ts';
import { PATHS } from '../../server/links.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { close, listen } from '../support/listen.ts';
import { testServer } from '../support/started.ts';
import { startRiding, storedRide } from '../support/take-ride.ts';
import { brokenAmong } from './support/in-page.js';
import { visitor } from './support/visitor.ts';

describe.skipIf(!runsBrowserTests)('the pages, in a browser', () => {
  const server = testServer('sqlite', { withPages: true });
  const { arrive, newPage, complaints } = visitor(() => [server.baseUrl]);
  test('follows a link to another site without sending a referrer', async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer((req, res) => {
      // the browser also requests the icon of that site
      if (req.url === '/') asked.push(req.headers.referer);
      res.end();
    });
    const url = (await listen(elsewhere)).replace('127.0.0.1', 'localhost');
    onTestFinished(() => close(elsewhere));
    const page = await arrive();
    const { world, rideId } = await startRiding(server);
    for (const path of ['/', PATHS.account('suspended'), PATHS.route(await storedRide(server, world, rideId))]) {
      await page.goto(server.baseUrl + path);
      // a string, because it runs in the page
      await page.evaluate(`location.href = '${url}/'`);
      await page.waitForURL(`${url}/`);
    }
    expect(asked).toEqual([undefined, undefined, undefined]);
    expect(complaints.splice(0)).toEqual(asked.map(() => expect.stringContaining(`asks for ${url}/`)));
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
