import type { Express } from 'express';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { createApp, routersBeside } from '../../server/app.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { serveWith } from './support/added-routers.ts';
import { BESIDE, PROBES, WITH_DEMO } from './support/routes-beside.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

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

const ofTheContract = Object.values(OPERATIONS).map(
  ({ method, expressPath }) => `${method.toUpperCase()} ${expressPath}`,
);
const pathsOf = (routes: readonly string[]) => new Set(routes.map((route) => route.split(' ')[1]!));

test.each([
  ['without', false, BESIDE],
  ['with', true, WITH_DEMO],
])(
  'the routes of a server %s the demo are the operations of the contract and the paths listed here',
  (_, hasDemo, beside) => {
    const routers = routersBeside({ ...server.parts, hasDemo });
    const routes = routesOf(createApp(server.parts, { routers, isDraining: () => false }));
    const serving = routes.filter((route) => !route.startsWith('ALL ') && !isHeadOfAnOperation(route));
    expect(serving).toEqual([...ofTheContract, ...Object.values(beside).flat()].sort());
    // a route for all methods refuses the remaining methods, so its path must also serve one
    const left = routes.filter((route) => route.startsWith('ALL '));
    expect([...pathsOf(left)].filter((path) => !pathsOf(serving).has(path))).toEqual([]);
  },
);

describe('in a server with the demo', () => {
  const beside = Object.values(WITH_DEMO).flat();
  const paths = [...pathsOf(beside)];
  const serve = () => serveWith(server.parts, routersBeside(server.parts));

  // edge-target.test.ts checks the other methods of the contract's paths
  test('the listed paths return a 405 for other methods', async () => {
    const baseUrl = await serve();
    const every = paths.flatMap((path) => METHODS.map((method) => ({ method, path, route: `${method} ${path}` })));
    for (const { method, path, route } of every.filter((one) => !beside.includes(one.route))) {
      const { status } = await fetch(baseUrl + path.replaceAll(/:\w+/g, 'some'), { method });
      expect(status, route).toBe(405);
    }
  });

  test('no parameter of a path finds something by the name of an inherited property', async () => {
    const baseUrl = await serve();
    for (const path of paths.filter((path) => path.includes(':'))) {
      for (const name of Object.getOwnPropertyNames(Object.prototype)) {
        const { status } = await fetch(baseUrl + path.replaceAll(/:\w+/g, name), { redirect: 'manual' });
        expect(status, `${path} ${name}`).toBeLessThan(500);
        // pictures are drawn from any name; a car needs a ride type, and a price an area
        if (/:(rideType|area|problem)/.test(path)) expect(status, `${path} ${name}`).toBe(404);
      }
    }
  });

  test('only the health checks respond under another host name', async () => {
    const baseUrl = await serve();
    for (const route of beside) {
      const [method = '', path = ''] = route.split(' ');
      const head = lastHead(method, path.replaceAll(/:\w+/g, 'some'), [], 'evil.example');
      const { status, headers } = await answerTo(baseUrl, head);
      expect(status, route).toBe(PROBES.includes(route) ? 200 : 421);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });
});

/** Every path of the contract has its own route that refuses HEAD. */
function isHeadOfAnOperation(route: string): boolean {
  return route.startsWith('HEAD ') && pathsOf(ofTheContract).has(route.split(' ')[1]!);
}
