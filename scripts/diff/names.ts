import type { Change } from './change.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** As much of a contract as gives its parts their names. */
export interface Named {
  readonly paths: Record<string, Record<string, unknown>>;
  readonly webhooks?: Record<string, unknown>;
}

/** The keys of a JSON pointer such as `#/paths/~1v1~1rides/get`. */
export function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * What a change may be called by: the component that it is in, the operations or the webhook that it is part of. The first is the
 * one to show. Empty for what is of the contract as a whole.
 */
export function namesOf(change: Change, contracts: readonly Named[]): string[] {
  const [room, place, method] = keysOf(change.path);
  const [, kind, component] = keysOf((change.revision ?? change.base)?.pointer ?? '');
  const isComponent = (change.revision ?? change.base)?.pointer.startsWith('#/components/');
  const named = isComponent && kind && component ? [component] : [];
  if (room === 'webhooks' && place) return [...named, place];
  if (room !== 'paths' || !place) return named;
  const operations = contracts.flatMap(({ paths }) =>
    Object.entries(paths[place] ?? {}).filter(
      ([key]) => METHODS.includes(key) && (key === method || !METHODS.includes(method!)),
    ),
  );
  const ids = operations.map(([, operation]) => (operation as { operationId: string }).operationId);
  return [...new Set([...named, ...ids])];
}
