import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { HOST } from './raw-socket.ts';

/** A request that the typed client cannot send. */
export interface RawCall {
  /** Absent: the operation's own. */
  readonly method?: 'HEAD';
  /** The parameters of the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** The query, sent unchanged. */
  readonly query?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent unchanged. */
  readonly body?: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** Hangs up when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Calls an operation with any bytes and headers. The default Content-Type is JSON. */
export function rawCall(baseUrl: string, operation: OperationId, call: RawCall = {}): Promise<Response> {
  const { method, path } = OPERATIONS[operation];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path?.[name] ?? ''));
  return fetch(baseUrl + filled + (call.query === undefined ? '' : `?${call.query}`), {
    method: call.method ?? method.toUpperCase(),
    // so that tests can check the redirect itself
    redirect: 'manual',
    headers: {
      ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(call.token !== undefined && { Authorization: `Bearer ${call.token}` }),
      ...call.headers,
    },
    ...(call.body !== undefined && { body: call.body, duplex: 'half' }),
    ...(call.signal !== undefined && { signal: call.signal }),
  });
}

/** The head of a call as bytes, without its last blank line. Parameters of the path are not encoded. */
export function startOfCall(operation: OperationId, { path = {}, query, token, headers = {} }: RawCall): string {
  const { method, path: template } = OPERATIONS[operation];
  const target = template.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? 'ride-1');
  const search = query === undefined ? '' : `?${query}`;
  const named = { ...(token !== undefined && { Authorization: `Bearer ${token}` }), ...headers };
  const lines = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method.toUpperCase()} ${target}${search} HTTP/1.1\r\n${HOST}${lines.join('')}`;
}
