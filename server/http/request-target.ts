import { isDecodable } from './percent.ts';

/** A full URL up to its path. */
const ORIGIN = /^https?:\/\/([^/?#]+)(?=[/?#]|$)/i;

/** The usual request target: a path without escapes, and an optional query. */
const PLAIN = /^\/[^%#?]*(?:\?[^#]*)?$/;

/** The host of a request target that is a full URL. It overrides the Host header (RFC 9112, section 3.2.2). */
export function hostInTarget(target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  return ORIGIN.exec(target)?.[1]?.replace(/^.*@/, '');
}

/**
 * Converts a request target of any form (RFC 9112, section 3.2) to a path and query whose segments can be decoded. A
 * target without a path becomes a path that no route matches.
 */
export function originForm(target: string): string {
  if (PLAIN.test(target)) return target;
  const local = target.replace(ORIGIN, '');
  // a request target has no fragment, so # is an ordinary character
  const [path = '', ...query] = local.replaceAll('#', '%23').split('?');
  // an invalid percent escape becomes literal text: the router would refuse it before any other check
  const segments = path.split('/').map((one) => (isDecodable(one) ? one : one.replaceAll('%', '%25')));
  const readable = segments.join('/');
  return [readable.startsWith('/') ? readable : `/${readable}`, ...query].join('?');
}

/** The path of a target in origin form, without its query. */
export function pathOf(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? target : target.slice(0, at);
}
