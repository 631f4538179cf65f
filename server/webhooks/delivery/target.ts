import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { TargetRules } from '../../parts.ts';
import { verdictOnPort } from './ports.ts';

/** A URL or address that webhooks must not be sent to. Its message is a sentence for the URL's owner. */
export class ForbiddenTarget extends Error {
  override readonly name = 'ForbiddenTarget';
}

/** The IPv6 range that IANA allocates as global unicast. All other addresses are special or unassigned. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Parses a webhook URL, without resolving its host: see `assertPublicAddress`. @throws ForbiddenTarget
 * @param takesOutdatedPort for a stored URL, while `outdatedPortsUntil` is not over
 */
export function assertWebhookUrl(
  text: string,
  { allowPrivate, requireHttps }: TargetRules,
  takesOutdatedPort = false,
): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && !requireHttps);
  if (!url || !isWeb)
    throw new ForbiddenTarget(`The webhook URL must be ${requireHttps ? 'an https' : 'an http or https'} URL.`);
  if (url.username || url.password) {
    throw new ForbiddenTarget('The webhook URL must not contain a user name or a password.');
  }
  const verdict = verdictOnPort(url);
  if (verdict === 'refused' || (verdict === 'outdated' && !takesOutdatedPort)) {
    throw new ForbiddenTarget(
      `The webhook URL must not use port ${url.port}. Use 443, 80 or a port from 1024 on that no other protocol uses.`,
    );
  }
  if (!allowPrivate) assertPublicHost(url.hostname);
  return url;
}

/** Why webhooks can't be sent to a URL, as a sentence for its owner; null if they can. */
export function problemOfWebhookUrl(text: string, rules: TargetRules): string | null {
  try {
    assertWebhookUrl(text, rules);
    return null;
  } catch (error) {
    if (error instanceof ForbiddenTarget) return error.message;
    throw error;
  }
}

/** The URL parser has already normalized every notation of an IPv4 address (0x7f000001, 127.1, ①②⑦.0.0.1). */
function assertPublicHost(hostname: string): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) assertPublicAddress(host);
  // RFC 6761, section 6.3
  else if (/(^|\.)localhost\.*$/.test(host)) throw notPublic(host, 'loopback');
}

/** Refuses every address that is not global unicast (RFC 6890 and its registries). @throws ForbiddenTarget */
export function assertPublicAddress(address: string): void {
  // ipaddr.js reads ::8.8.8.8 as ::ffff:8.8.8.8, but sockets do not
  const spelled = address.replace(/^::(?=\d+\.)/, '::0:');
  const range = isIP(address) ? rangeOf(ipaddr.process(spelled)) : 'no address';
  if (range !== 'unicast') throw notPublic(address, range);
}

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  const isGlobal = address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
  return range === 'unicast' && !isGlobal ? 'reserved' : range;
}

function notPublic(address: string, range: string): ForbiddenTarget {
  return new ForbiddenTarget(
    `The webhook URL must point to a public address, but ${address} is not public (${range}).`,
  );
}
