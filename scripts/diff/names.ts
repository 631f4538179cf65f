import { type Contract, keysOf, METHODS, operationsOf } from '../contract/bundle.ts';
import type { Change } from './change.ts';

/**
 * What a change may be called by: the component that it is in, the operations or the webhook that it is part of. The first is the
 * one to show. Empty for what is of the contract as a whole.
 */
export function namesOf(change: Change, contracts: readonly Contract[]): string[] {
  const [room, place, method] = keysOf(change.path);
  const [, kind, component] = keysOf((change.revision ?? change.base)?.pointer ?? '');
  const isComponent = (change.revision ?? change.base)?.pointer.startsWith('#/components/');
  const named = isComponent && kind && component ? [component] : [];
  if (room === 'webhooks' && place) return [...named, place];
  if (room !== 'paths' || !place) return named;
  const isWholePath = !METHODS.some((one) => one === method);
  const operations = contracts.flatMap(operationsOf).filter(({ path }) => path === place);
  const ids = operations.filter((one) => isWholePath || one.method === method).map(({ id }) => id);
  return [...new Set([...named, ...ids])];
}
