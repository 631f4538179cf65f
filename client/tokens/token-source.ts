/**
 * Returns the access token. The client calls it before each call, without an argument; and once more if the API says
 * that the token has expired, with that token. If it then returns another one, the client repeats the call with it.
 */
export type TokenSource = (expired?: string) => string | Promise<string>;
