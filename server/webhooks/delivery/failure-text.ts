const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  ETIMEDOUT: 'There was no connection in time.',
  UND_ERR_CONNECT_TIMEOUT: 'There was no connection in time.',
  UND_ERR_SOCKET: 'The connection was closed before there was an answer.',
  // undici's parser holds some of what it reads to assertions
  ERR_ASSERTION: 'The answer is no HTTP that can be read.',
};

/** Why an attempt to reach a server failed, for whoever runs that server: without addresses, for one of them would be our own. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // an AggregateError has one for each address that was tried
  const {
    code = '',
    syscall = '',
    message,
  }: NodeJS.ErrnoException = (error instanceof AggregateError && error.errors[0]) || error;
  // undici reads no further where nobody asked for 100 Continue
  if (code === 'UND_ERR_SOCKET' && message === 'bad response')
    return 'The answer began with a 100 Continue that nobody asked for.';
  if (/^(query|getaddrinfo)/.test(syscall)) return `The name of the host leads to no address (${code}).`;
  if (code.startsWith('ERR_SSL_')) return `TLS failed (${code}).`;
  // such as "connect EHOSTUNREACH 192.0.2.1:443 - Local (10.0.0.7:51234)"
  if (syscall !== '') return SENTENCES[code] ?? `The connection failed (${code}).`;
  // a certificate's names stand in messages as they are, and PostgreSQL cannot store NUL
  return SENTENCES[code] ?? message.replaceAll('\0', '');
}
