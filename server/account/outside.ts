/** Letters, as in `ECONNRESET` and `card_declined`. Digits could be part of what was sent. */
const CODE = /^[A-Z_]{1,64}$/i;

/**
 * Asks a service outside of the server. The message of its error can repeat what it was sent, such as a card or a phone
 * number, and the log must not have that: so the error that this throws has no more than a code.
 */
export async function askOutside<T>(service: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: unknown };
    const isCode = typeof code === 'string' && CODE.test(code);
    throw Object.assign(new Error(`The ${service} failed`), isCode && { code });
  }
}
