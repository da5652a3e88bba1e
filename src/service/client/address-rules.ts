import { BlockList, isIP } from 'node:net';

/** An exception that the operator wrote: a host name, or a network. */
export type AllowedAddress =
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'network'; readonly address: string; readonly prefix: number };

/** The prefix of each network, by its first address. */
type Networks = Readonly<Record<string, number>>;

/** Networks that no name of the internet should lead to (IANA special-purpose registries). */
const ownNetworks: Networks = {
  '10.0.0.0': 8,
  '100.64.0.0': 10,
  '127.0.0.0': 8,
  '172.16.0.0': 12,
  '192.168.0.0': 16,
  '198.18.0.0': 15,
  '::1': 128,
  'fc00::': 7,
  'fec0::': 10,
};

/**
 * The addresses that the internet gives out. All others of IPv6 are reserved, and several forms of them contain an address
 * of IPv4, which a gateway would reach: NAT64, translated and compatible addresses.
 */
const internetNetworks: Networks = { '0.0.0.0': 0, '2000::': 3 };

/** Never reached by a host name, because cloud machines give out credentials there, or because nothing responds. */
const forbiddenNetworks: Networks = {
  '0.0.0.0': 8,
  '169.254.0.0': 16,
  '192.0.0.0': 24,
  '192.0.2.0': 24,
  '192.88.99.0': 24,
  '198.51.100.0': 24,
  '203.0.113.0': 24,
  '224.0.0.0': 4,
  '240.0.0.0': 4,
  '2001::': 23,
  '2001:db8::': 32,
  '3fff::': 20,
  // These contain addresses of IPv4, which a gateway would reach: 6to4.
  '2002::': 16,
};

/** Services of large clouds for their own machines, at addresses that look like any other. */
const cloudServices: Networks = {
  'fd00:ec2::254': 128,
  'fd20:ce::254': 128,
  '100.100.100.200': 32,
  '168.63.129.16': 32,
};

const cloud = listOf(Object.entries(cloudServices));
const own = listOf(Object.entries(ownNetworks));
const internet = listOf(Object.entries(internetNetworks));
const forbidden = listOf(Object.entries(forbiddenNetworks));

/**
 * Checks whether a connection for this host name may go to this address. Public addresses always; those of this machine
 * and of private networks only if the operator allows the host or the network; link-local and reserved ones only if the
 * operator allows the network itself.
 */
export function mayConnect(host: string, address: string, allowed: readonly AllowedAddress[]): boolean {
  // A zone such as `%eth0` is not part of the address.
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 0) return false;
  const networks = allowed.flatMap((each): [string, number][] =>
    each.kind === 'network' ? [[each.address, each.prefix]] : [],
  );
  if (isIn(listOf(networks), plain)) return true;
  if (isIn(cloud, plain)) return false;
  if (!isIn(own, plain)) return isIn(internet, plain) && !isIn(forbidden, plain);
  return allowed.some((each) => each.kind === 'host' && sameHost(each.host, host));
}

/**
 * Whether a name with these addresses may be used: all of them must be allowed, because its owner decides which one
 * responds.
 */
export function mayConnectToAll(
  host: string,
  addresses: readonly string[],
  allowed: readonly AllowedAddress[],
): boolean {
  return addresses.length > 0 && addresses.every((address) => mayConnect(host, address, allowed));
}

/** An address of IPv4 in one of IPv6, such as `::ffff:10.0.0.1`, is in the networks of IPv4. */
function isIn(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

function listOf(networks: readonly (readonly [address: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of networks) {
    list.addSubnet(address, prefix, familyOf(address));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function sameHost(one: string, other: string): boolean {
  return withoutDot(one) === withoutDot(other);
}

function withoutDot(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
