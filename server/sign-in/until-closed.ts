import type { Response } from 'express';

/** Aborts when the browser closes the connection. */
export function untilClosed(res: Response): AbortSignal {
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  return closed.signal;
}
