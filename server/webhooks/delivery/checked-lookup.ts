import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { SECOND_MS } from '../../domain/time.ts';
import { assertPublicAddress, ForbiddenTarget } from './target.ts';

/** All addresses of a name; an error if there are none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** As the system resolves it: with its hosts file, search domains and whatever else it knows. */
export const resolveBySystem: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/**
 * As the internet resolves it. The name servers are asked without a thread: the system's way takes one of four, which names that are slow to
 * answer would keep from everybody, password hashing included.
 */
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

/**
 * The `lookup` of a socket, which hands over exactly the addresses that it has checked: asking again could give others (DNS rebinding). One
 * address that is not public refuses the whole name, for no public service has one.
 */
export function checkedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  const addressesOf = async (hostname: string) => {
    const addresses = await resolve(hostname);
    if (!allowPrivate) assertPublic(addresses);
    if (addresses.length === 0) throw new Error(`${hostname} has no address`);
    return [...addresses];
  };
  return (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (addresses) => (all ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family)),
      (error) => callback(error, []),
    );
  };
}

/** What it throws is shown to whoever set the URL, who is not to learn how names resolve where the server stands: the address is its cause. */
function assertPublic(addresses: readonly LookupAddress[]): void {
  try {
    for (const { address } of addresses) assertPublicAddress(address);
  } catch (cause) {
    throw new ForbiddenTarget('The host of the webhook URL does not lead to public addresses alone.', { cause });
  }
}
