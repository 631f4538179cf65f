import { OPERATIONS, type OperationId } from '../../generated/server.ts';

/** A request that a typed client could not send. */
export interface RawCall {
  /** Fills the path's parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** Sent as it is, behind the question mark. */
  readonly query?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body?: string | Buffer<ArrayBuffer>;
}

/** Calls an operation with whatever bytes and headers the test wants; Content-Type is JSON unless said otherwise. */
export function rawCall(baseUrl: string, operation: OperationId, call: RawCall = {}): Promise<Response> {
  const { method, path } = OPERATIONS[operation];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path?.[name] ?? ''));
  return fetch(baseUrl + filled + (call.query === undefined ? '' : `?${call.query}`), {
    method: method.toUpperCase(),
    // where a browser is sent to is the answer
    redirect: 'manual',
    headers: {
      ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(call.token !== undefined && { Authorization: `Bearer ${call.token}` }),
      ...call.headers,
    },
    ...(call.body !== undefined && { body: call.body }),
  });
}
