import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Store } from '../../server/store/engine/open.ts';
import { rowsIn, type TableText, tablesIn } from './everything-stored.ts';

/** Runs `work`, and expects every row to stay as it was. @returns the result of `work` */
export async function changingNothing<T>({ store }: { readonly store: Store }, work: () => Promise<T>): Promise<T> {
  const before = await tablesIn(store);
  const result = await work();
  await expectStored(store, before, 'what is stored');
  return result;
}

export async function expectStored(store: Store, before: readonly TableText[], message: string): Promise<void> {
  const after = await tablesIn(store);
  // the rows are only needed to judge and to show a difference
  if (!isDeepStrictEqual(after, before)) expect(rowsIn(after), message).toEqual(rowsIn(before));
}
