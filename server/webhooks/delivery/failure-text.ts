import { beginningOf } from './answer.ts';

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  ETIMEDOUT: 'There was no connection in time.',
  UND_ERR_CONNECT_TIMEOUT: 'There was no connection in time.',
  UND_ERR_SOCKET: 'The connection was closed before there was an answer.',
  // undici's parser asserts some of what it reads
  ERR_ASSERTION: 'The answer is no HTTP that can be read.',
};

/** Says why an attempt failed, for the owner of the receiving server. No addresses: one of them would be our own. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // an AggregateError has an error for each address that was tried
  const {
    code = '',
    syscall = '',
    message,
  }: NodeJS.ErrnoException = (error instanceof AggregateError && error.errors[0]) || error;
  // undici stops reading at a 100 Continue that the request did not ask for
  if (code === 'UND_ERR_SOCKET' && message === 'bad response')
    return 'The answer began with a 100 Continue that nobody asked for.';
  if (/^(query|getaddrinfo)/.test(syscall)) return `The name of the host leads to no address (${code}).`;
  if (code.startsWith('ERR_SSL_')) return `TLS failed (${code}).`;
  // the message has addresses, such as "connect EHOSTUNREACH 192.0.2.1:443 - Local (10.0.0.7:51234)"
  if (syscall !== '') return SENTENCES[code] ?? `The connection failed (${code}).`;
  // a message may quote all names of a certificate
  return SENTENCES[code] ?? beginningOf(Buffer.from(message));
}
