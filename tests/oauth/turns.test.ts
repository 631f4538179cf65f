import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { MOST_HASHES_AT_ONCE, MOST_WAITING_HASHES } from '../../server/oauth/passwords.ts';
import { turns } from '../../server/oauth/turns.ts';

const UNAVAILABLE = expect.objectContaining({ code: 'temporarily_unavailable' });

/** Work that ends when the test says so. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (error) => (error ? reject(error) : resolve(name)));
    });
  };
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)!(error) };
}

test('so many are worked on at once, so many more wait for their turn, and the next is refused', async () => {
  const { begun, work, end } = works();
  const inTurn = turns(2, 2);
  const [a, b, c, d, e] = [...'abcde'].map((name) => inTurn(work(name)));
  await expect(e).rejects.toEqual(UNAVAILABLE);
  expect(begun).toEqual(['a', 'b']);
  end('b');
  expect(await b).toBe('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  const f = inTurn(work('f'));
  await expect(inTurn(work('g'))).rejects.toEqual(UNAVAILABLE);
  end('a', new Error('failed'));
  await expect(a).rejects.toThrow('failed');
  end('c');
  await c;
  end('d');
  end('f');
  expect([await d, await f, begun]).toEqual(['d', 'f', ['a', 'b', 'c', 'd', 'f']]);
  // every place is free again
  void inTurn(work('h'));
  void inTurn(work('i'));
  expect(begun.slice(5)).toEqual(['h', 'i']);
});

test('who hangs up gives its place in the queue to another, and is not worked for', async () => {
  const { begun, work, end } = works();
  const inTurn = turns(1, 1);
  const first = inTurn(work('first'));
  const caller = new AbortController();
  const gone = inTurn(work('gone'), caller.signal);
  caller.abort();
  await expect(gone).rejects.toEqual(UNAVAILABLE);
  await expect(inTurn(work('gone before'), caller.signal)).rejects.toEqual(UNAVAILABLE);
  const other = new AbortController();
  const next = inTurn(work('next'), other.signal);
  end('first');
  await first;
  // it has begun, so it is done
  other.abort();
  end('next');
  expect([await next, begun]).toEqual(['next', ['first', 'next']]);
});

test('hashes leave a core and a thread free', () => {
  expect(MOST_HASHES_AT_ONCE).toBeGreaterThanOrEqual(1);
  expect(MOST_HASHES_AT_ONCE).toBeLessThanOrEqual(Math.max(1, Math.min(availableParallelism(), 4) - 1));
  // tests sign in ten at once
  expect(MOST_WAITING_HASHES).toBeGreaterThanOrEqual(9);
});
