import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** Of 16 bits each: what a provider hands to one customer at least (RFC 6177, section 2). */
const GROUPS_OF_NETWORK = 4;

/**
 * Whom an address belongs to, as far as addresses tell: one of IPv4 by itself, one of IPv6 by the first 64 bits, for the other 64 are its
 * owner's to choose.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // IPv4 at a socket that speaks both
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  const [head = '', tail = ''] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<string>(GROUPS - before.length - after.length).fill('0');
  const network = [...before, ...zeros, ...after].slice(0, GROUPS_OF_NETWORK);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
