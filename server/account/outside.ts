/** Matches codes such as `ECONNRESET` and `card_declined`. Digits could come from the data that was sent. */
const CODE = /^[A-Z_]{1,64}$/i;

/** Calls an external service. Throws only a code: its message can repeat a card or a phone number. */
export async function askOutside<T>(service: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: unknown };
    const isCode = typeof code === 'string' && CODE.test(code);
    throw Object.assign(new Error(`The ${service} failed`), isCode && { code });
  }
}
