import type { RequestHandler } from 'express';
import { isLoopback } from '../domain/loopback.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Parts } from '../parts.ts';

/**
 * Makes a check whether a request addresses a host of this server. A page can make its own name lead to another address
 * (DNS rebinding), and a browser then sends its requests here, but always with the name of the page.
 * Only names are compared: a port does not protect, and behind a port mapping it is another.
 */
export function hostCheck({
  publicUrl,
  allowedHosts,
}: Pick<Parts, 'publicUrl' | 'allowedHosts'>): (req: { readonly hostname: string | undefined }) => boolean {
  const names = new Set([new URL(publicUrl).hostname, ...allowedHosts]);
  const allowsLoopback = names.has('localhost');
  return ({ hostname }) => {
    // HTTP/1.0 needs no Host, and a request that names no host means no other one; every browser names one
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
      'This server does not serve the host of this request. It serves those that PUBLIC_URL and ALLOWED_HOSTS name.',
    );
  };
}
