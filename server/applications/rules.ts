import { isLoopback } from '../domain/loopback.ts';
import { wrongField } from '../domain/refusal.ts';
import type { TargetRules } from '../parts.ts';
import { problemOfWebhookUrl } from '../webhooks/delivery/target.ts';

/** Redirect URIs of an application. @beyond the form returns with an error */
export const MOST_REDIRECT_URIS = 10;
/**
 * Redirect URI. Browsers and proxies accept URLs of this length, even with a code and a state added.
 * @beyond the form returns with an error that names the line
 * @heldBy tests/portal/applications.test.ts
 */
export const MOST_REDIRECT_URI_CHARACTERS = 500;
/**
 * Webhook URL of an application.
 * @beyond the form returns with an error
 * @heldBy tests/portal/applications-webhooks.test.ts
 */
const MOST_WEBHOOK_URL_CHARACTERS = 2000;
/** Applications of a developer. @beyond the form returns with an error, also for a transfer to that developer */
export const MOST_APPLICATIONS = 50;

/** Schemes that a browser handles itself. */
const OF_BROWSERS = /^(javascript|data|vbscript|file|blob|about|filesystem|view-source|ws|wss|ftp|mailto|tel|sms):$/;

/** The redirect URIs in the form to store, without duplicates. Throws Refusal `bad_parameter`. */
export function redirectUrisFrom(texts: readonly string[]): readonly string[] {
  const uris = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
  const refuse = (problem: string) => wrongField('redirect_uris', problem);
  if (uris.length === 0) throw refuse('Enter at least one redirect URI.');
  if (uris.length > MOST_REDIRECT_URIS) throw refuse(`Enter at most ${MOST_REDIRECT_URIS} redirect URIs.`);
  for (const uri of uris) {
    const problem = problemOfRedirectUri(uri);
    if (problem !== null) throw refuse(problem);
  }
  return uris;
}

/** Why a URI is not allowed as a redirect URI (RFC 6749, section 3.1.2; RFC 8252, section 7); null if it is. */
function problemOfRedirectUri(uri: string): string | null {
  if (uri.length > MOST_REDIRECT_URI_CHARACTERS)
    return `This redirect URI is too long. Enter at most ${MOST_REDIRECT_URI_CHARACTERS} characters.`;
  // a browser would encode or drop other characters, and the URI would no longer match the registered one
  if (!/^[!-~]+$/.test(uri) || /["<>\\^`{|}]/.test(uri) || !URL.canParse(uri))
    return `${shown(uri)} is not a valid URI. Enter a full URI, such as https://app.example.com/callback.`;
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes('#')) return `${shown(uri)} contains a fragment (#). Remove it.`;
  if (username !== '' || password !== '') return `${shown(uri)} contains a user name or password. Remove it.`;
  if (/^https?:$/.test(protocol) && !spellsHost(uri, hostname))
    return `${shown(uri)} is not a valid URI. Enter a full URI, such as https://app.example.com/callback.`;
  if (protocol === 'https:') return null;
  if (protocol === 'http:')
    return isLoopback(hostname)
      ? null
      : `${shown(uri)} uses http, which is allowed only for localhost. Enter a URI that starts with https.`;
  if (OF_BROWSERS.test(protocol) || !protocol.includes('.'))
    return `${shown(uri)} has a scheme that is not allowed. Enter a URI that starts with https, or with your application’s own scheme, which needs a dot, such as com.example.app:/callback.`;
  return null;
}

/**
 * Whether a web address includes its host in the form that browsers expect. A browser resolves an address without
 * slashes, such as `https:callback`, relative to this server.
 */
function spellsHost(uri: string, hostname: string): boolean {
  const [, spelled] = /^https?:\/\/([a-z\d._-]+|\[[\da-f:]+\])(:\d+)?([/?]|$)/i.exec(uri) ?? [];
  return spelled?.toLowerCase() === hostname;
}

function shown(uri: string): string {
  const text = uri.replace(/[^!-~]/g, '?');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/**
 * A webhook URL as typed; null if it is absent or empty. Throws Refusal `bad_parameter`. @param field the field name
 * for the error's detail
 */
export function webhookUrlFrom(text: string | null, field: string, rules: TargetRules): string | null {
  const url = text?.trim() ?? '';
  if (url === '') return null;
  const refuse = (problem: string) => wrongField(field, problem);
  const assertShort = (shown: string) => {
    if (shown.length > MOST_WEBHOOK_URL_CHARACTERS)
      throw refuse(`The webhook URL is too long. Enter at most ${MOST_WEBHOOK_URL_CHARACTERS} characters.`);
  };
  assertShort(url);
  const problem = problemOfWebhookUrl(url, rules);
  if (problem !== null) throw refuse(`${problem} Enter a URL such as https://app.example.com/webhooks.`);
  const { href } = new URL(url);
  // encoded, a character can take nine
  assertShort(href);
  return href;
}
