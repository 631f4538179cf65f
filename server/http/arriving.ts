import type { Request } from 'express';
import type { Refusal } from '../domain/refusal.ts';
import { holdings, type Whose } from '../limits/holdings.ts';
import { tooSlow } from './unreadable.ts';

/**
 * Bodies that are read as they arrive. Each takes the memory of its own limit, at most 64 KiB: together 32 MiB.
 * @beyond of the application with the most, or of the network with the most if all networks together have more, the body that
 *   began first gets 408, and its connection closes
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
 * @param whose flow, and its group: all networks are one, because an attacker can have many
 */
export function arrivingBodies(): (req: Request, whose: Whose, limit: BodyLimit, settle: Settle) => void {
  const hold = holdings(MOST_ARRIVING_BODIES);
  return (req, whose, { most, tooLarge }, settle) => {
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
      forget();
    };
    const finish = (failure: Refusal | null = null) => {
      leave();
      settle(failure, bytes.subarray(0, length));
    };
    const forget = hold(whose, 1, () => finish(tooSlow()));
    req.on('data', take).on('end', finish).on('close', leave);
  };
}
