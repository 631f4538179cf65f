/** What an error of the network means, in a sentence. */
const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection was closed before there was an answer.',
  ENOTFOUND: 'The name of the host is not known.',
  ENODATA: 'The name of the host has no address.',
};

/** Why an attempt to reach a server failed, for whoever runs that server. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // one for each address that was tried
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return SENTENCES[first.code] ?? first.message;
}
