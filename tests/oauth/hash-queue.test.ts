import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { newHashQueue } from '../../server/oauth/hash-queue.ts';
import { MOST_HASHES_AT_ONCE, MOST_WAITING_HASHES } from '../../server/oauth/passwords.ts';

const UNAVAILABLE = expect.objectContaining({ code: 'temporarily_unavailable' });

/** Creates work that ends when the test calls `end`. */
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

test('work runs up to one limit, waits up to another, and is refused beyond both', async () => {
  const { begun, work, end } = works();
  const inTurn = newHashQueue(2, 2);
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

test('a caller that hangs up frees its place in the queue, and its work does not run', async () => {
  const { begun, work, end } = works();
  const inTurn = newHashQueue(1, 1);
  const first = inTurn(work('first'));
  const caller = new AbortController();
  const gone = inTurn(work('gone'), { signal: caller.signal });
  caller.abort();
  await expect(gone).rejects.toEqual(UNAVAILABLE);
  await expect(inTurn(work('gone before'), { signal: caller.signal })).rejects.toEqual(UNAVAILABLE);
  const other = new AbortController();
  const next = inTurn(work('next'), { signal: other.signal });
  end('first');
  await first;
  // it has begun, so it finishes, and leaves the queue only once
  other.abort();
  void inTurn(work('waits'));
  await expect(inTurn(work('refused'))).rejects.toEqual(UNAVAILABLE);
  end('next');
  expect([await next, begun]).toEqual(['next', ['first', 'next', 'waits']]);
});

test('flows take turns, and in a full queue work of a shorter flow replaces the last of the longest', async () => {
  const { begun, work, end } = works();
  const inTurn = newHashQueue(1, 4);
  const ask = (name: string) => inTurn(work(name), { flow: name[0]! });
  const first = ask('a0');
  const [a1, a2, a3, a4] = ['a1', 'a2', 'a3', 'a4'].map(ask);
  const b1 = ask('b1');
  await expect(a4).rejects.toEqual(UNAVAILABLE);
  const b2 = ask('b2');
  await expect(a3).rejects.toEqual(UNAVAILABLE);
  // both flows have their full share, so neither can take a place of the other
  await expect(ask('a5')).rejects.toEqual(UNAVAILABLE);
  await expect(ask('b3')).rejects.toEqual(UNAVAILABLE);
  const c1 = ask('c1');
  await expect(Promise.race([a2, b2])).rejects.toEqual(UNAVAILABLE);
  for (const name of ['a0', 'a1', 'b1', 'c1']) {
    end(name);
    await new Promise(setImmediate);
  }
  await Promise.all([first, a1, b1, c1]);
  expect(begun.slice(0, 4)).toEqual(['a0', 'a1', 'b1', 'c1']);
  expect(begun).toHaveLength(5);
  end(begun[4]!);
  await Promise.allSettled([a2, b2]);
});

test('hashes leave a core and a thread free', () => {
  expect(MOST_HASHES_AT_ONCE).toBeGreaterThanOrEqual(1);
  expect(MOST_HASHES_AT_ONCE).toBeLessThanOrEqual(Math.max(1, Math.min(availableParallelism(), 4) - 1));
  // tests make ten sign-ins at once
  expect(MOST_WAITING_HASHES).toBeGreaterThanOrEqual(9);
});
