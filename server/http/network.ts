import type { Express } from 'express';
import ipaddr from 'ipaddr.js';
import { latest } from '../limits/latest.ts';
import type { TrustedProxies } from '../parts.ts';

const BITS_OF_GROUP = 16;
/** Providers assign a customer at least a /64, usually a /56, and a site up to a /48 (RFC 6177, sections 2 and 3). */
const IPV6_BITS = { narrow: 64, middle: 56, wide: 48 } as const;
/** The smallest block of IPv4 addresses that is routed separately. */
const IPV4_WIDE_BITS = 24;
/**
 * Characters of an address whose network is cached: the longest IPv6 address, with an embedded IPv4 address.
 * @beyond it is parsed for each request
 */
const LONGEST_ADDRESS = 45;
/** The network of every text that is not an address. Otherwise, each made-up text would count as a separate network. */
const NO_ADDRESS = 'unknown';

/** A client's networks, for counting. A wide network contains many narrow ones, and so gets a larger allowance. */
export interface Networks {
  /** An IPv4 address, or the /64 of an IPv6 address: the client chooses the other 64 bits. */
  readonly narrow: string;
  /** The /56 of an IPv6 address; null for IPv4. */
  readonly middle: string | null;
  /** The /48 of an IPv6 address, or the /24 of an IPv4 address. */
  readonly wide: string;
}

/**
 * A client's address in canonical form, for counts and log lines. Removes a zone, and a port, which some proxies send
 * in X-Forwarded-For. Converts the IPv6 form of an IPv4 address, as dual-stack sockets report it, back to IPv4.
 * @param sent from `req.ip`; undefined only after the connection closes
 */
export function addressOf(sent: string | undefined): string {
  return parsed(sent)?.toString() ?? NO_ADDRESS;
}

/**
 * Addresses whose networks are cached, because parsing costs more than a lookup.
 * @beyond the least recently used one is parsed again
 */
const MOST_KNOWN_ADDRESSES = 1000;
const known = latest<Networks>(MOST_KNOWN_ADDRESSES);

/** A client's networks. @param sent as for addressOf */
export function networksOf(sent = ''): Networks {
  const networks = known.get(sent) ?? readNetworks(sent);
  // a proxy can send texts of any length
  if (sent.length <= LONGEST_ADDRESS) known.set(sent, networks);
  return networks;
}

function readNetworks(sent: string): Networks {
  const address = parsed(sent);
  if (address === undefined) return { narrow: NO_ADDRESS, middle: null, wide: NO_ADDRESS };
  if (address instanceof ipaddr.IPv4) {
    const wide = `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${IPV4_WIDE_BITS}`)}/${IPV4_WIDE_BITS}`;
    return { narrow: address.toString(), middle: null, wide };
  }
  const { narrow, middle, wide } = IPV6_BITS;
  return { narrow: prefixOf(address, narrow), middle: prefixOf(address, middle), wide: prefixOf(address, wide) };
}

/** Makes Express trust proxies in any notation of the previous proxy's address. */
export function trustProxies(app: Express, proxies: TrustedProxies): void {
  app.set('trust proxy', proxies ?? false);
  if (proxies === null) return;
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  app.set('trust proxy', (address: string, hop: number) => isTrusted(addressOf(address), hop));
}

function parsed(sent = ''): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = sent.trim();
  // colons in brackets are part of the address, and so are several without brackets
  const bare = /^\[([^\]]*)\](?::\d*)?$/.exec(text)?.[1] ?? /^([^:]*):\d*$/.exec(text)?.[1] ?? text;
  const [address = ''] = bare.split('%');
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

function prefixOf({ parts }: ipaddr.IPv6, bits: number): string {
  const groups = parts.slice(0, Math.ceil(bits / BITS_OF_GROUP)).map((group, index) => {
    const kept = Math.min(BITS_OF_GROUP, bits - index * BITS_OF_GROUP);
    return group & (0xffff << (BITS_OF_GROUP - kept));
  });
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`;
}
