import { expect } from 'vitest';
import type { Store } from '../../server/store/open.ts';
import { everythingStored } from './everything-stored.ts';

/** Does something, and expects it to leave every row as it was. @returns what came of it */
export async function changingNothing<T>({ store }: { readonly store: Store }, work: () => Promise<T>): Promise<T> {
  const before = await everythingStored(store);
  const result = await work();
  expect(await everythingStored(store), 'what is stored').toEqual(before);
  return result;
}
