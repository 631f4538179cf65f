import { expect } from 'vitest';
import type { Store } from '../../server/store/open.ts';
import { everythingStored } from './everything-stored.ts';

/** Runs `work`, and expects every row to stay as it was. @returns the result of `work` */
export async function changingNothing<T>({ store }: { readonly store: Store }, work: () => Promise<T>): Promise<T> {
  const before = await everythingStored(store);
  const result = await work();
  expect(await everythingStored(store), 'what is stored').toEqual(before);
  return result;
}
