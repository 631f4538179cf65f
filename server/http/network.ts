import ipaddr from 'ipaddr.js';

/** Groups of 16 bits: a provider gives each customer at least a /64 (RFC 6177, section 2). */
const GROUPS_OF_NETWORK = 4;

/** The address of a client, for counting. Of IPv6 only the first 64 bits: a client chooses the other 64 itself. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  // a dual-stack socket reports IPv4 addresses as IPv6
  const known = ipaddr.process(address);
  if (known instanceof ipaddr.IPv4) return known.toString();
  const network = known.parts.slice(0, GROUPS_OF_NETWORK);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}
