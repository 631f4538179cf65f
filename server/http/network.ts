import ipaddr from 'ipaddr.js';

/** Groups of 16 bits: what a provider hands to one customer at least (RFC 6177, section 2). */
const GROUPS_OF_NETWORK = 4;

/**
 * Whom an address belongs to, as far as addresses tell: one of IPv4 by itself, one of IPv6 by the first 64 bits, for the other 64 are its
 * owner's to choose.
 */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  // IPv4 at a socket that speaks both becomes IPv4
  const known = ipaddr.process(address);
  if (known instanceof ipaddr.IPv4) return known.toString();
  const network = known.parts.slice(0, GROUPS_OF_NETWORK);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}
