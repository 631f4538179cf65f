import { type Contract, keysOf, METHODS, operationsOf } from '../contract/bundle.ts';
import type { Change } from './change.ts';

/**
 * Returns the names by which the changelog can announce a change: its component, operations or webhook. Reports show
 * the first name. A change of the whole contract has the name of its extension, if any.
 */
export function namesOf(change: Change, contracts: readonly Contract[]): string[] {
  const [room, place, method] = keysOf(change.path);
  const [, kind, component] = keysOf((change.revision ?? change.base)?.pointer ?? '');
  const isComponent = (change.revision ?? change.base)?.pointer.startsWith('#/components/');
  // own-limits.ts appends the limit to a response's name
  const named = isComponent && kind && component ? [component.replace(/Of\d+$/, '')] : [];
  if (room === 'webhooks' && place) return [...named, place];
  if (room === 'info' && place?.startsWith('x-')) return [place];
  if (room !== 'paths' || !place) return named;
  const isWholePath = !METHODS.some((one) => one === method);
  const operations = contracts.flatMap(operationsOf).filter(({ path }) => path === place);
  const ids = operations.filter((one) => isWholePath || one.method === method).map(({ id }) => id);
  return [...new Set([...named, ...ids])];
}
