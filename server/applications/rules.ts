import { isLoopback } from '../domain/loopback.ts';
import { Refusal } from '../domain/refusal.ts';

/** More than anybody reads. */
export const MOST_NAME_CHARACTERS = 60;
export const MOST_REDIRECT_URIS = 10;
/** Browsers and proxies take URLs of this length, with a code and a state added. */
export const MOST_REDIRECT_URI_CHARACTERS = 500;
/** Applications of one developer. */
export const MOST_APPLICATIONS = 50;

/** Schemes that a browser acts on itself. */
const OF_BROWSERS = /^(javascript|data|vbscript|file|blob|about|filesystem|view-source|ws|wss|ftp|mailto|tel|sms):$/;

/** Letters and symbols without a picture, which their own category does not tell. */
const BLANKS = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
/** It makes the emoji before it colorful, as keyboards do. */
const EMOJI_STYLE = /(?<=\p{Emoji})\ufe0f/gu;
/** More marks than letters of any language carry run over the lines around them. */
const PILED_MARKS = /^\p{M}|\p{M}{5}/u;

/** The name as it is kept. Throws Refusal `bad_parameter`. */
export function nameFrom(text: string): string {
  const name = text.trim().replace(/\s+/gu, ' ');
  const refuse = (problem: string) => new Refusal('bad_parameter', `The name ${problem}.`, { name: problem });
  if (name === '') throw refuse('is required');
  if ([...name].length > MOST_NAME_CHARACTERS) throw refuse(`has more than ${MOST_NAME_CHARACTERS} characters`);
  // characters that cannot be seen, or that turn the text around them, make one name look like another
  if (/\p{C}/u.test(name) || BLANKS.test(name.replace(EMOJI_STYLE, '')))
    throw refuse('has characters that cannot be seen');
  if (PILED_MARKS.test(name)) throw refuse('has marks that belong to no letter');
  return name;
}

/** The redirect URIs as they are kept, each once. Throws Refusal `bad_parameter`. */
export function redirectUrisFrom(texts: readonly string[]): readonly string[] {
  const uris = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
  const refuse = (problem: string) => new Refusal('bad_parameter', problem, { redirect_uris: problem });
  if (uris.length === 0) throw refuse('Enter at least one redirect URI.');
  if (uris.length > MOST_REDIRECT_URIS) throw refuse(`Enter at most ${MOST_REDIRECT_URIS} redirect URIs.`);
  for (const uri of uris) {
    const problem = problemOfRedirectUri(uri);
    if (problem !== null) throw refuse(problem);
  }
  return uris;
}

/** Why passengers cannot be sent to a URI (RFC 6749, section 3.1.2; RFC 8252, section 7); null if they can. */
function problemOfRedirectUri(uri: string): string | null {
  if (uri.length > MOST_REDIRECT_URI_CHARACTERS)
    return `A redirect URI has at most ${MOST_REDIRECT_URI_CHARACTERS} characters.`;
  // a browser would encode, or leave out, other characters, and the URI would no longer be the registered one
  if (!/^[!-~]+$/.test(uri) || /["<>\\^`{|}]/.test(uri) || !URL.canParse(uri))
    return `${shown(uri)} is not a URI. Write it in full, such as https://app.example.com/callback.`;
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes('#')) return `${shown(uri)} must not have a fragment (#).`;
  if (username !== '' || password !== '') return `${shown(uri)} must not have a user name or a password.`;
  if (/^https?:$/.test(protocol) && !spellsHost(uri, hostname))
    return `${shown(uri)} is not a URI. Write it in full, such as https://app.example.com/callback.`;
  if (protocol === 'https:') return null;
  if (protocol === 'http:')
    return isLoopback(hostname)
      ? null
      : `${shown(uri)} must begin with https. Only this machine, localhost, can do without.`;
  if (OF_BROWSERS.test(protocol) || !protocol.includes('.'))
    return `${shown(uri)} must begin with https, or with a scheme of your app that has a dot, such as com.example.app:/callback.`;
  return null;
}

/**
 * Whether a web address spells its host as browsers read it. They would take one without its slashes, such as
 * `https:callback`, for a page of this server.
 */
function spellsHost(uri: string, hostname: string): boolean {
  const [, spelled] = /^https?:\/\/([a-z\d._-]+|\[[\da-f:]+\])(:\d+)?([/?]|$)/i.exec(uri) ?? [];
  return spelled?.toLowerCase() === hostname;
}

function shown(uri: string): string {
  const text = uri.replace(/[^!-~]/g, '?');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
