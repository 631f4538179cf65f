import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { SECOND_MS } from '../../domain/time.ts';
import { assertPublicAddress, ForbiddenTarget } from './target.ts';

/**
 * Addresses of a webhook's host, half of them IPv4 and half IPv6. A DNS answer has room for four thousand, and Node tries
 * one after the other.
 * @beyond the others are not tried
 * @heldBy tests/webhooks/target.test.ts
 */
const MOST_ADDRESSES = 4;

/** All addresses of a host name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Resolves like the operating system, with its hosts file and search domains. */
export const resolveBySystem: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/** Resolves with DNS queries. The system's resolver uses one of four threads, so slow names would block other work. */
export async function resolveByNameServers(
  hostname: string,
  resolver: Pick<dns.Resolver, 'resolve4' | 'resolve6'> = new dns.Resolver({ timeout: 3 * SECOND_MS, tries: 2 }),
): Promise<readonly LookupAddress[]> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  return addresses;
}

export function resolverFor(allowPrivate: boolean): Resolve {
  return allowPrivate ? resolveBySystem : resolveByNameServers;
}

/**
 * A socket's `lookup` that returns exactly the addresses it has checked: a second lookup could return others (DNS
 * rebinding). A single non-public address among them refuses the whole name, because no public service has one.
 */
export function checkedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  const addressesOf = async (hostname: string) => {
    const left: Record<number, number> = { 4: MOST_ADDRESSES / 2, 6: MOST_ADDRESSES / 2 };
    const addresses = (await resolve(hostname)).filter(({ family }) => left[family]!-- > 0);
    if (!allowPrivate) assertPublic(addresses);
    if (addresses.length === 0) throw new Error(`${hostname} has no address`);
    return addresses;
  };
  return (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (addresses) => (all ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family)),
      (error) => callback(error, []),
    );
  };
}

/** The URL's owner sees the message, and must not learn how names resolve in our network. The cause has the address. */
function assertPublic(addresses: readonly LookupAddress[]): void {
  try {
    for (const { address } of addresses) assertPublicAddress(address);
  } catch (cause) {
    throw new ForbiddenTarget('The host of the webhook URL must resolve only to public addresses.', { cause });
  }
}
