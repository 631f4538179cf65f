import type { Express } from 'express';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { createApp, routersBeside } from '../../server/app.ts';
import { demoRedirectUri } from '../../server/demo.ts';
import { ACCOUNT_PATHS, APPLICATION_PAGES, CONSENT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { serveWith } from './support/added-routers.ts';

const FOR_BROWSERS = 'a page or a picture that responses link to';
const FORM = 'a form of the consent flow, which no application calls';
const ACCOUNT = 'a page of the passenger, which no application calls';
const PORTAL = 'a page of the developer, which no application calls';
const DOCUMENTATION = 'the contract, for developers of clients';
const PROBES = 'for operators of the server';
const SCRIPTS = 'for the scripts of a server with the demo';

/** Every path outside the contract: its methods and its purpose. GET includes HEAD. */
const BESIDE: Record<string, [methods: string[], reason: string]> = {
  '/healthz': [['GET'], PROBES],
  '/readyz': [['GET'], PROBES],
  [CONSENT_PATHS.signIn]: [['GET', 'POST'], FORM],
  [CONSENT_PATHS.signUp]: [['GET', 'POST'], FORM],
  [CONSENT_PATHS.signOut]: [['POST'], FORM],
  [CONSENT_PATHS.consent]: [['GET', 'POST'], FORM],
  [ACCOUNT_PATHS.overview]: [['GET'], ACCOUNT],
  [ACCOUNT_PATHS.applications]: [['GET', 'POST'], ACCOUNT],
  [ACCOUNT_PATHS.password]: [['GET', 'POST'], ACCOUNT],
  [ACCOUNT_PATHS.sessions]: [['GET', 'POST'], ACCOUNT],
  [ACCOUNT_PATHS.data]: [['GET', 'POST'], ACCOUNT],
  [ACCOUNT_PATHS.deletion]: [['GET', 'POST'], ACCOUNT],
  [ACCOUNT_PATHS.signIn]: [['GET', 'POST'], ACCOUNT],
  [ACCOUNT_PATHS.signOut]: [['POST'], ACCOUNT],
  [PORTAL_PATHS.overview]: [['GET'], PORTAL],
  [PORTAL_PATHS.newApplication]: [['GET', 'POST'], PORTAL],
  [PORTAL_PATHS.application]: [['GET'], PORTAL],
  ...Object.fromEntries(
    APPLICATION_PAGES.map((page) => [
      `${PORTAL_PATHS.application}/${page}`,
      [page === 'log' ? ['GET'] : ['GET', 'POST'], PORTAL] as const,
    ]),
  ),
  [PORTAL_PATHS.account]: [['GET', 'POST'], PORTAL],
  [PORTAL_PATHS.password]: [['GET', 'POST'], PORTAL],
  [PORTAL_PATHS.deletion]: [['GET', 'POST'], PORTAL],
  [PORTAL_PATHS.signIn]: [['GET', 'POST'], PORTAL],
  [PORTAL_PATHS.signUp]: [['GET', 'POST'], PORTAL],
  [PORTAL_PATHS.setPassword]: [['GET', 'POST'], PORTAL],
  [PORTAL_PATHS.signOut]: [['POST'], PORTAL],
  '/': [['GET'], 'the start page, for browsers'],
  '/style.css': [['GET'], 'the style of the pages'],
  '/favicon.svg': [['GET'], 'the icon of the pages'],
  '/favicon.ico': [['GET'], 'for browsers, if a page names no icon'],
  '/docs': [['GET'], DOCUMENTATION],
  '/docs/contract.json': [['GET'], 'the data of the documentation page'],
  '/docs/:script.js': [['GET'], 'the script of that page'],
  '/openapi.yaml': [['GET'], DOCUMENTATION],
  '/openapi.json': [['GET'], DOCUMENTATION],
  '/openapi-3.0.json': [['GET'], DOCUMENTATION],
  '/webhooks.json': [['GET'], DOCUMENTATION],
  '/.well-known/oauth-authorization-server': [['GET'], 'for OAuth clients, which look up the endpoints there'],
  '/robots.txt': [['GET'], 'for search engines'],
  '/pictures/people/:id.svg': [['GET'], FOR_BROWSERS],
  '/pictures/cars/:rideType.svg': [['GET'], FOR_BROWSERS],
  '/pictures/vehicles/:make/:model/:color.svg': [['GET'], FOR_BROWSERS],
  '/pricing/:area': [['GET'], FOR_BROWSERS],
  [ACCOUNT_PATHS.payment]: [['GET', 'POST'], 'where a passenger adds a payment method'],
  [ACCOUNT_PATHS.phone]: [['GET', 'POST'], 'where a passenger verifies a phone number'],
  '/account/:problem': [['GET'], FOR_BROWSERS],
  '/routes/:world/:ride': [['GET'], FOR_BROWSERS],
};
const BESIDE_WITH_DEMO: typeof BESIDE = {
  '/development/demo': [['GET', 'PUT'], SCRIPTS],
  '/development/codes': [['POST'], SCRIPTS],
  [demoRedirectUri('')]: [['GET'], 'stands in for the application that a consent redirects to'],
};

const server = testServer('sqlite');

/** The parts of Express's router that show its routes. */
interface Layer {
  readonly handle: { readonly stack?: readonly Layer[] };
  /** Whether the layer matches every path. */
  readonly slash: boolean;
  readonly route?: {
    readonly path: string | string[];
    readonly methods: Readonly<Record<string, boolean>>;
    readonly stack: readonly Layer[];
  };
}

/** Each `METHOD path` that the app routes, sorted. A route for all methods is `ALL`. */
function routesOf(app: Express): string[] {
  const walk = ({ route, handle, slash }: Layer): string[] => {
    if (route) {
      const routers = route.stack.filter((layer) => layer.handle.stack !== undefined);
      if (routers.length > 0) return routers.flatMap(({ handle: { stack = [] } }) => stack.flatMap(walk));
      const methods = Object.keys(route.methods).map((method) => (method === '_all' ? 'ALL' : method.toUpperCase()));
      return [route.path].flat().flatMap((path) => methods.map((method) => `${method} ${path}`));
    }
    if (handle.stack === undefined) return [];
    // a router mounted below a path would serve other paths than its routes say
    expect(slash).toBe(true);
    return handle.stack.flatMap(walk);
  };
  return [...new Set((app.router as unknown as { stack: Layer[] }).stack.flatMap(walk))].sort();
}

const listed = (beside: typeof BESIDE) =>
  Object.entries(beside).flatMap(([path, [methods]]) => methods.map((method) => `${method} ${path}`));
const ofTheContract = Object.values(OPERATIONS).map(
  ({ method, expressPath }) => `${method.toUpperCase()} ${expressPath}`,
);
const pathsOf = (routes: readonly string[]) => new Set(routes.map((route) => route.split(' ')[1]));

test.each([
  ['without', false, BESIDE],
  ['with', true, { ...BESIDE, ...BESIDE_WITH_DEMO }],
])(
  'the routes of a server %s the demo are the operations of the contract and the paths listed here',
  (_, hasDemo, beside) => {
    const routers = routersBeside({ ...server.parts, hasDemo });
    const routes = routesOf(createApp(server.parts, { routers, isDraining: () => false }));
    const serving = routes.filter((route) => !route.startsWith('ALL ') && !isHeadOfAnOperation(route));
    expect(serving).toEqual([...ofTheContract, ...listed(beside)].sort());
    // a route for all methods refuses the remaining methods, so its path must also serve one
    const left = routes.filter((route) => route.startsWith('ALL '));
    expect([...pathsOf(left)].filter((path) => !pathsOf(serving).has(path))).toEqual([]);
  },
);

describe('in a server with the demo', () => {
  const beside = { ...BESIDE, ...BESIDE_WITH_DEMO };
  const routers = () => routersBeside(server.parts);

  // edge-methods.test.ts checks the other methods of the contract's paths
  test('the listed paths return a 405 for other methods', async () => {
    const baseUrl = await serveWith(server.parts, routers());
    for (const [path, [methods]] of Object.entries(beside)) {
      const url = baseUrl + path.replaceAll(/:\w+/g, 'some');
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !methods.includes(method));
      for (const method of others) {
        const { status } = await fetch(url, { method });
        expect(status, `${method} ${path}`).toBe(405);
      }
    }
  });

  test('no parameter of a path finds something by the name of an inherited property', async () => {
    const baseUrl = await serveWith(server.parts, routers());
    for (const path of Object.keys(beside).filter((path) => path.includes(':'))) {
      for (const name of Object.getOwnPropertyNames(Object.prototype)) {
        const { status } = await fetch(baseUrl + path.replaceAll(/:\w+/g, name), { redirect: 'manual' });
        expect(status, `${path} ${name}`).toBeLessThan(500);
        // pictures are drawn from any name; a car needs a ride type, and a price an area
        if (/:(rideType|area|problem)/.test(path)) expect(status, `${path} ${name}`).toBe(404);
      }
    }
  });

  test('only the health checks respond under another host name', async () => {
    const baseUrl = await serveWith(server.parts, routers());
    for (const [path, [methods, reason]] of Object.entries(beside)) {
      for (const method of methods) {
        const head = lastHead(method, path.replaceAll(/:\w+/g, 'some'), [], 'evil.example');
        const { status, headers } = await answerTo(baseUrl, head);
        expect(status, `${method} ${path}`).toBe(reason === PROBES ? 200 : 421);
        expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      }
    }
  });
});

/** Every path of the contract has its own route that refuses HEAD. */
function isHeadOfAnOperation(route: string): boolean {
  return route.startsWith('HEAD ') && pathsOf(ofTheContract).has(route.split(' ')[1]);
}
