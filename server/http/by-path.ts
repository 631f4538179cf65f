import type { RequestHandler, Router } from 'express';
import { pathOf } from './request-target.ts';

/** The parts of an Express router. Its types lack `match`. */
interface Layer {
  readonly route?: Route;
  match(path: string): { readonly params: Record<string, string> } | false;
}

interface Route {
  readonly path: string;
  dispatch(...call: Parameters<RequestHandler>): void;
}

/** A route with parameters. */
interface Pattern extends Pick<Layer, 'match'> {
  readonly route: Route;
  /** The start of its paths. */
  readonly beginning: string;
}

/**
 * Finds the route of a request by its path. @param router its routes must be case sensitive and strict, with each path
 * at most once
 */
export function byPath(router: Router): RequestHandler & { readonly stack: Router['stack'] } {
  const layers = router.stack as unknown as readonly Layer[];
  const fixed = new Map<string, Route>();
  const patterns: Pattern[] = [];
  for (const layer of layers) {
    const route = layer.route!;
    const beginning = route.path.replace(/:.*/, '');
    if (beginning === route.path) fixed.set(route.path, route);
    else patterns.push({ route, beginning, match: (path) => layer.match(path) });
  }

  const routeByPath: RequestHandler = (req, res, next) => {
    const path = pathOf(req.url);
    const route = fixed.get(path);
    if (route !== undefined) return route.dispatch(req, res, next);
    for (const pattern of patterns) {
      const match = path.startsWith(pattern.beginning) && pattern.match(path);
      if (!match) continue;
      req.params = match.params;
      return pattern.route.dispatch(req, res, next);
    }
    next();
  };
  return Object.assign(routeByPath, { stack: router.stack });
}
