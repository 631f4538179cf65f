import type { Request } from 'express';
import type { Refusal } from '../domain/refusal.ts';
import { tooSlow } from './unreadable.ts';

/**
 * Bodies that are read as they arrive. Each takes the memory of its own limit, at most 64 KiB: together 32 MiB.
 * @beyond of the application with the most, or of the network with the most if all networks together have more, the body that
 *   began first gets 408, and its connection closes
 */
export const MOST_ARRIVING_BODIES = 512;

interface Whose {
  readonly flow: string;
  readonly group: string;
}

/** A limit in bytes, and the failure of a longer body. */
export interface BodyLimit {
  readonly most: number;
  readonly tooLarge: () => Refusal;
}

/** What ends each body, in order of arrival, by flow. */
type Flows = Map<string, Set<() => void>>;

/** Called once, with a body or the failure; never if the client leaves, or if parser-errors.ts responds. */
type Settle = (failure: Refusal | null, bytes?: Buffer) => void;

/**
 * Reads bodies that have not arrived completely. A client can stop in the middle, so their number is limited.
 * @param whose flow, and its group: all networks are one, because an attacker can have many
 */
export function arrivingBodies(): (req: Request, whose: Whose, limit: BodyLimit, settle: Settle) => void {
  const groups = new Map<string, Flows>();
  let count = 0;

  const endOne = () => {
    const flows = largestOf(groups.values(), bodiesIn);
    const ends = largestOf(flows!.values(), ({ size }) => size);
    for (const end of ends!) return end();
  };

  return (req, { flow, group }, { most, tooLarge }, settle) => {
    const { 'content-length': declared = 0, 'transfer-encoding': isChunked } = req.headers;
    // one buffer: a piece of one byte would take more than a hundred
    const bytes = Buffer.allocUnsafeSlow(isChunked === undefined ? Number(declared) : most);
    let length = 0;
    const take = (chunk: Buffer) => {
      if (length + chunk.length > most) return finish(tooLarge());
      length += chunk.copy(bytes, length);
    };
    const leave = () => {
      req.off('data', take).off('end', finish).off('close', leave);
      ends.delete(end);
      count -= 1;
      if (ends.size === 0) flows.delete(flow);
      if (flows.size === 0) groups.delete(group);
    };
    const finish = (failure: Refusal | null = null) => {
      leave();
      settle(failure, bytes.subarray(0, length));
    };
    const end = () => finish(tooSlow());
    if (count === MOST_ARRIVING_BODIES) endOne();
    const flows: Flows = groups.get(group) ?? new Map();
    const ends = flows.get(flow) ?? new Set();
    groups.set(group, flows.set(flow, ends.add(end)));
    count += 1;
    req.on('data', take).on('end', finish).on('close', leave);
  };
}

function bodiesIn(flows: Flows): number {
  let count = 0;
  for (const { size } of flows.values()) count += size;
  return count;
}

/** The first of the largest. */
function largestOf<T>(all: Iterable<T>, sizeOf: (one: T) => number): T | undefined {
  let [largest, most]: [T | undefined, number] = [undefined, 0];
  for (const one of all) {
    const size = sizeOf(one);
    if (size > most) [largest, most] = [one, size];
  }
  return largest;
}
