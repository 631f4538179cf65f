import { own } from '../../domain/own.ts';
import { beginningOf } from './answer.ts';

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_SOCKET: 'The connection was closed before a response arrived.',
  // undici's parser uses assertions on some of its input
  ERR_ASSERTION: 'The response is not valid HTTP.',
};

/** Why an attempt failed, for the owner of the receiving server. Omits addresses: one of them would be ours. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // an AggregateError contains an error for each attempted address
  const {
    code = '',
    syscall = '',
    message,
  }: NodeJS.ErrnoException = (error instanceof AggregateError && error.errors[0]) || error;
  if (/^(query|getaddrinfo)/.test(syscall)) return `The host name does not resolve (${code}).`;
  if (code.startsWith('ERR_SSL_')) return `TLS failed (${code}).`;
  // the message contains addresses, such as "connect EHOSTUNREACH 192.0.2.1:443 - Local (10.0.0.7:51234)"
  if (syscall !== '') return own(SENTENCES, code) ?? `The connection failed (${code}).`;
  // a message may quote every name in a certificate
  return own(SENTENCES, code) ?? beginningOf(Buffer.from(message));
}
