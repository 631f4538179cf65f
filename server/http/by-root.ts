import type { RequestHandler, Router } from 'express';
import { pathOf } from './request-target.ts';

/** The parts of an Express router. */
interface Layer {
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: string | RegExp | readonly string[]; readonly stack: readonly Layer[] };
}

/** Passes on only requests whose path begins like one of the router's. Express would compare them with every route. */
export function byRoot(router: Router): RequestHandler & { readonly stack: Router['stack'] } {
  const paths = (router.stack as unknown as readonly Layer[]).flatMap(pathsOf);
  const isForAll = paths.includes(null);
  const roots = new Set(paths.map((path) => rootOf(path ?? '')));
  const routeByRoot: RequestHandler = (req, res, next) => {
    if (isForAll || roots.has(rootOf(pathOf(req.url)))) router(req, res, next);
    else next();
  };
  return Object.assign(routeByRoot, { stack: router.stack });
}

/** The paths of a layer's routes; null for middleware, which gets every request. */
function pathsOf({ handle, route }: Layer): readonly (string | null)[] {
  if (route === undefined) return handle.stack?.flatMap(pathsOf) ?? [null];
  // a route that passes on to routers matches a pattern; the routers have the actual paths
  const routers = route.stack.flatMap((layer) => layer.handle.stack ?? []);
  if (routers.length > 0) return routers.flatMap(pathsOf).filter((path) => path !== null);
  return [route.path].flat().map(String);
}

/** The first segment. */
function rootOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}
