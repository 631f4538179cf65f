import { describe, expect, test } from 'vitest';
import {
  type DeveloperLink,
  deleteDeveloperLinkOf,
  findDeveloperLink,
  saveDeveloperLink,
  takeDeveloperLink,
} from '../../server/store/developer-links.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { NOON } from './samples.ts';

function link(change: Partial<DeveloperLink> = {}): DeveloperLink {
  return { tokenHash: 'link', email: 'dev@example.com', developerId: null, expiresAt: NOON, ...change };
}

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test.each([null, 'developer'])('only one of twenty concurrent calls takes a link: %s', async (developerId) => {
    const kept = link({ developerId });
    await saveDeveloperLink(store.db, kept);
    await saveDeveloperLink(store.db, link({ tokenHash: 'other', email: 'dev2@example.com' }));
    expect(await findDeveloperLink(store.db, 'link')).toEqual(kept);
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? takeDeveloperLink(store.db, 'link') : store.transaction((tx) => takeDeveloperLink(tx, 'link')),
      ),
    );
    expect(taken.filter((each) => each !== undefined)).toEqual([kept]);
    expect(await findDeveloperLink(store.db, 'link')).toBeUndefined();
    expect(await findDeveloperLink(store.db, 'other')).toBeDefined();
  });

  const saved = async () => {
    const found = await store.db.selectFrom('developerLinks').selectAll().execute();
    return found.sort((a, b) => (a.email > b.email ? -1 : 1));
  };

  test('of twenty links saved concurrently for one email, one remains, and links of other emails stay', async () => {
    const other = link({ tokenHash: 'other', email: 'dev2@example.com' });
    await saveDeveloperLink(store.db, other);
    const links = Array.from({ length: 20 }, (_, n) => link({ tokenHash: `link-${n}`, expiresAt: NOON + n }));
    await Promise.all(links.map((each) => store.transaction((tx) => saveDeveloperLink(tx, each))));
    const [one, ...rest] = await saved();
    expect(links).toContainEqual(one);
    expect(rest).toEqual([other]);
    const last = link({ tokenHash: 'reset', developerId: 'developer' });
    await saveDeveloperLink(store.db, last);
    expect(await saved()).toEqual([last, other]);
    await deleteDeveloperLinkOf(store.db, 'dev@example.com');
    expect(await saved()).toEqual([other]);
  });
});
