import type { Request } from 'express';
import type { Refusal } from '../domain/refusal.ts';
import { tooSlow } from './unreadable.ts';

/**
 * Bodies that are read as they arrive. Each takes the memory of its own limit, at most 64 KiB: together 32 MiB.
 * @beyond of the application or network with the most, the body that began first gets 408, and its connection closes
 */
export const MOST_ARRIVING_BODIES = 512;

/** A limit in bytes, and the failure of a longer body. */
export interface BodyLimit {
  readonly most: number;
  readonly tooLarge: () => Refusal;
}

/** Called once, with a body or the failure; never if the client leaves, or if parser-errors.ts responds. */
type Settle = (failure: Refusal | null, bytes?: Buffer) => void;

/**
 * Reads bodies that have not arrived completely. A client can stop in the middle, so their number is limited.
 * @param flow whose body it is
 */
export function arrivingBodies(): (req: Request, flow: string, limit: BodyLimit, settle: Settle) => void {
  /** What ends each body, in order of arrival, by flow. */
  const flows = new Map<string, Set<() => void>>();
  let count = 0;

  const endOne = () => {
    let largest: ReadonlySet<() => void> = new Set();
    for (const ends of flows.values()) if (ends.size > largest.size) largest = ends;
    for (const end of largest) return end();
  };

  return (req, flow, { most, tooLarge }, settle) => {
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
    };
    const finish = (failure: Refusal | null = null) => {
      leave();
      settle(failure, bytes.subarray(0, length));
    };
    const end = () => finish(tooSlow());
    if (count === MOST_ARRIVING_BODIES) endOne();
    const ends = flows.get(flow) ?? new Set();
    flows.set(flow, ends.add(end));
    count += 1;
    req.on('data', take).on('end', finish).on('close', leave);
  };
}
