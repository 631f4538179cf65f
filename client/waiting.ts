/** Rejects with the signal's reason as soon as it ends the wait. */
export function unlessAborted<Value>(signal: AbortSignal | undefined, work: Value | Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
    // also after the wait has ended, so that a late failure is handled
    Promise.resolve(work)
      .finally(() => signal?.removeEventListener('abort', abort))
      .then(resolve, reject);
  });
}

/** Like `unlessAborted`, for a time. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await unlessAborted(signal, elapsed).finally(() => clearTimeout(timer));
}

/** Aborts the work after a time. @throws TypeError then, like fetch if no response arrives */
export async function inTime<Value>(
  milliseconds: number,
  what: string,
  work: (signal: AbortSignal) => Value | Promise<Value>,
): Promise<Value> {
  const late = new AbortController();
  const reason = new TypeError(`${what} took longer than ${milliseconds / 1000} seconds.`);
  const timer = setTimeout(() => late.abort(reason), milliseconds);
  return unlessAborted(late.signal, (async () => work(late.signal))()).finally(() => clearTimeout(timer));
}

const sharedBy = new WeakMap<AbortSignal, { readonly calls: Set<AbortController>; readonly end: () => void }>();

/** A signal that ends with another. Node warns of many listeners, and each request adds some until memory is cleaned up. */
export function signalOfCall(signal: AbortSignal): { readonly signal: AbortSignal; readonly forget: () => void } {
  signal.throwIfAborted();
  const call = new AbortController();
  const calls = new Set<AbortController>();
  const end = () => calls.forEach((each) => void each.abort(signal.reason));
  const shared = sharedBy.get(signal) ?? { calls, end };
  sharedBy.set(signal, shared);
  shared.calls.add(call);
  // once, as it is the same function
  signal.addEventListener('abort', shared.end);
  const forget = () => {
    shared.calls.delete(call);
    // Node keeps a signal that has a listener
    if (shared.calls.size === 0) signal.removeEventListener('abort', shared.end);
  };
  return { signal: call.signal, forget };
}
