import type { RequestHandler } from 'express';
import { isLoopback } from '../domain/loopback.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Parts } from '../parts.ts';

/**
 * Makes a check that a request addresses a host of this server. It prevents DNS rebinding: a page can point its own
 * name to this server, but the browser still sends the page's name in Host. Ports are not compared: they add no
 * protection, and a port mapping changes them.
 */
export function hostCheck(parts: Pick<Parts, 'publicUrl' | 'allowedHosts'>) {
  const names = new Set([new URL(parts.publicUrl).hostname, ...parts.allowedHosts]);
  const allowsLoopback = names.has('localhost');
  return ({ hostname }: { readonly hostname: string | undefined }): boolean => {
    // HTTP/1.0 does not require Host; every browser sends it, so DNS rebinding cannot omit it
    if (hostname === undefined) return true;
    const name = hostname.toLowerCase().replace(/\.$/, '');
    return names.has(name) || (allowsLoopback && isLoopback(name));
  };
}

/** Refuses requests for other hosts (RFC 9110, section 15.5.20). */
export function refuseOtherHosts(isOurs: ReturnType<typeof hostCheck>): RequestHandler {
  return (req, _res, next) => {
    if (isOurs(req)) return next();
    throw new Refusal(
      'misdirected_request',
      'This server does not serve the host in this request. PUBLIC_URL and ALLOWED_HOSTS set its hosts.',
    );
  };
}
