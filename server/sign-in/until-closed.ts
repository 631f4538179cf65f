import type { Response } from 'express';

export function untilClosed(res: Response): AbortSignal {
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  return closed.signal;
}
