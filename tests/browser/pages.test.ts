import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COLORS, LUXURY_COLORS, MODELS } from '../../server/domain/fleet/vehicle.ts';
import { PATHS } from '../../server/links.ts';
import { geography } from '../../server/world/geography.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { advanceUntil, startRiding, storedRide } from '../support/take-ride.ts';
import { brokenAmong, faintTexts, whatIsSeen } from './support/in-page.js';

const PAGES = [
  '/',
  ...geography.areas.map(({ id }) => PATHS.pricing(id)),
  ...(['payment', 'suspended', 'driver-mode', 'phone'] as const).map(PATHS.account),
];
const STATUSES = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled'] as const;
const PHONE = { width: 375, height: 667 };
const DESK = { width: 1280, height: 800 };

describe.skipIf(!hasBrowser)('the pages, in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  const routes: string[] = [];
  beforeAll(async () => {
    server = await startTestServer('sqlite', { withPages: true });
    browser = await launchBrowser();
    const world = await server.newWorld();
    for (const status of STATUSES) {
      const riding = await startRiding(server, { world });
      if (status === 'canceled') await riding.api.cancelRide({ params: riding.params });
      await advanceUntil(server, riding, status);
      routes.push(PATHS.route(await storedRide(server, world, riding.rideId)));
    }
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  /** What a browser complains of on its way through some pages. */
  async function complaintsOf(context: BrowserContext, paths: readonly string[]): Promise<string[]> {
    const page = await context.newPage();
    const complaints: string[] = [];
    const complain = (text: string) => complaints.push(`${page.url()}: ${text}`);
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complain(message.text()));
    page.on('pageerror', (error) => complain(error.message));
    page.on('response', (response) => response.status() >= 400 && complain(`${response.status()} ${response.url()}`));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== server.baseUrl) complain(`asks for ${request.url()}`);
    });
    for (const path of paths) {
      await page.goto(server.baseUrl + path, { waitUntil: 'load' });
      const seen = await page.evaluate(whatIsSeen);
      if (seen.overflow > 0) complain(`scrolls sideways by ${seen.overflow}px`);
      for (const src of seen.broken) complain(`does not show ${src}`);
      if (seen.headings !== 1) complain(`has ${seen.headings} headings`);
    }
    await context.close();
    return complaints;
  }

  describe.each(['light', 'dark'] as const)('that likes it %s', (colorScheme) => {
    test.each([PHONE, DESK])('shows them whole at $width px, without a complaint', async (viewport) => {
      const context = await browser.newContext({ colorScheme, viewport });
      expect(await complaintsOf(context, [...PAGES, ...routes])).toEqual([]);
    });

    test('shows text that can be read: everything at a contrast of 4.5 or more', async () => {
      const page = await browser.newPage({ colorScheme });
      for (const path of ['/', PAGES[1]!, routes[3]!]) {
        await page.goto(server.baseUrl + path);
        expect(await page.evaluate(faintTexts), path).toEqual([]);
      }
      await page.close();
    });
  });

  test('a dead link is a page, too', async () => {
    const page = await browser.newPage();
    const response = await page.goto(`${server.baseUrl}/nothing/here`);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await page.getByRole('link', { name: 'start page' }).click();
    await page.getByRole('heading', { name: 'Take a ride by API' }).waitFor();
    await page.close();
  });

  test('every picture can be drawn, by a page of another origin as well', async () => {
    const vehicles = Object.values(MODELS)
      .flat()
      .flatMap(([make, model]) => [...new Set([...COLORS, ...LUXURY_COLORS])].map((color) => ({ make, model, color })));
    const pictures = [
      ...Object.keys(geography.rideTypes).map(PATHS.car),
      ...vehicles.map((car) => PATHS.vehicle({ ...car, year: 2023, licensePlate: '', licensePlateState: null })),
      ...Array.from({ length: 50 }, (_, i) => PATHS.person(`person-${i}`)),
      '/favicon.svg',
    ];
    // the same machine by another name is another site, and stands for one that has no policy against foreign pictures
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(server.baseUrl.replace('127.0.0.1', 'localhost'));
    const broken = await page.evaluate(
      brokenAmong,
      pictures.map((path) => server.baseUrl + path),
    );
    expect(broken).toEqual([]);
    await page.close();
  });
});
