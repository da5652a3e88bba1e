import { once } from '../../core/lib/once.ts';
import {
  type CategoryState,
  defaultAntivirus,
  defaultCompanyId,
  type FleetState,
  type GroupState,
  type StoredAntivirus,
  type StoredHostState,
  ungrouped,
  withVendorInstalled,
} from './fleet-state.ts';
import { generateInventory } from './generate-inventory.ts';
import { createRandom, type Random } from './random.ts';

export interface GenerateOptions {
  readonly hosts: number;
  /** The same seed gives the same fleet, byte for byte. */
  readonly seed?: number;
  /** Give every host an inventory; if absent, true for up to 50,000 hosts in total. */
  readonly inventory?: boolean;
  /** Give every tenth host an id beyond 2^53, which the type allows but a JavaScript number rounds. */
  readonly largeIds?: boolean;
}

export interface GenerateAccountsOptions extends GenerateOptions {
  readonly accounts: number;
}

const sites = [
  { name: 'Berlin', code: 'BER' },
  { name: 'Hamburg', code: 'HAM' },
  { name: 'Lisbon', code: 'LIS' },
  { name: 'Oslo', code: 'OSL' },
  { name: 'Porto', code: 'OPO' },
  { name: 'Tallinn', code: 'TLL' },
  { name: 'Wien', code: 'VIE' },
  { name: 'Zürich', code: 'ZRH' },
] as const;

const roles = [
  { name: 'Laptops', code: 'LT' },
  { name: 'Desktops', code: 'DT' },
  { name: 'Servers', code: 'SRV' },
  { name: 'Kiosks', code: 'KSK' },
] as const;

const groups: readonly GroupState[] = sites.flatMap((site, siteIndex) =>
  roles.map((role, roleIndex) => ({
    id: String(1_000_000 + siteIndex * 1_000 + roleIndex * 37),
    name: `${site.name} ${role.name}`,
  })),
);

const siteCategory = category(
  '1f0c2a52-6c1e-4d3b-9a64-0c5ce4f0a001',
  'Site',
  sites.map((site) => site.name),
);
const ownerCategory = category('1f0c2a52-6c1e-4d3b-9a64-0c5ce4f0a002', 'Owner', [
  'Finance',
  'Sales',
  'Engineering',
  'Reception',
]);

function category(id: string, name: string, values: readonly string[]): CategoryState {
  return {
    id,
    name,
    values: values.map((value, index) => ({
      id: `${id.slice(0, -3)}${String(index + 1)}${id.slice(-2)}`,
      name: value,
    })),
  };
}

const mostHostsWithInventory = 50_000;

/**
 * A realistic fleet: ids of nine digits as in live services today, and unique names, some of which follow the site's
 * scheme while others are factory names. Every host has inventory and custom fields.
 */
export function generateFleet(options: GenerateOptions): FleetState {
  return generateAccounts({ ...options, accounts: 1 })[0] as FleetState;
}

/**
 * Accounts with the same number of hosts. No two share a company ID or a host id. The hosts of an account are made when
 * they are first read, so that a thousand accounts are there at once.
 */
export function generateAccounts(options: GenerateAccountsOptions): readonly FleetState[] {
  const {
    accounts,
    hosts: count,
    seed = 1,
    inventory = accounts * count <= mostHostsWithInventory,
  } = options;
  const toId = hostIdMaker(accounts * count, options.largeIds === true);
  return Array.from({ length: accounts }, (_, account): FleetState => {
    const companyId = String(BigInt(defaultCompanyId) + BigInt(account));
    const hosts = once(() => hostsOf(account));
    return {
      companyId,
      groups,
      categories: [siteCategory, ownerCategory],
      get hosts() {
        return hosts();
      },
    };
  });

  function hostsOf(account: number): readonly StoredHostState[] {
    const random = createRandom(seed + account);
    // A separate random stream, so that a fleet is the same with and without inventory.
    const inventoryRandom = createRandom(-seed - account);
    return Array.from({ length: count }, (_, index): StoredHostState => {
      const host = generateHost(toId(account * count + index, random), index, random);
      return inventory ? { ...host, inventory: generateInventory(index, inventoryRandom) } : host;
    });
  }
}

const smallIds = 100_000_000;
const largeIds = 2n ** 53n + 1n;
const roomOfLargeIds = 2n ** 63n - 1n - largeIds;

/** Ids grow with the index and are unique: each has seven possible values. */
function hostIdMaker(total: number, withLargeIds: boolean): (index: number, random: Random) => string {
  const stride = roomOfLargeIds / BigInt(Math.max(total, 1));
  return (index, random) => {
    const small = smallIds + index * 7 + random.below(7);
    const isLarge = withLargeIds && index % 10 === 9;
    return isLarge ? String(largeIds + stride * BigInt(index) + BigInt(small)) : String(small);
  };
}

function generateHost(id: string, index: number, random: Random): StoredHostState {
  const site = random.below(sites.length);
  const role = random.below(roles.length);
  const name = generateName(index, site, role, random);
  return {
    id,
    name,
    groupId: random.fraction() < 0.85 ? (groups[site * roles.length + role] as GroupState).id : ungrouped,
    online: random.fraction() < 0.7,
    computerName: name.toUpperCase().slice(0, 15),
    stateChangedAt: `2026-0${1 + random.below(6)}-${String(1 + random.below(28)).padStart(2, '0')}T08:00:00Z`,
    inSession: false,
    antivirus: generateAntivirus(random),
    customFields: generateCustomFields(site, random),
  };
}

/** The number in the name makes it unique. */
function generateName(index: number, site: number, role: number, random: Random): string {
  if (random.fraction() < 0.25)
    return `DESKTOP-${(index * 1_679_617 + 60_466_176).toString(36).toUpperCase()}`;
  const number = String(index + 1).padStart(5, '0');
  return `${sites[site]?.code}-${roles[role]?.code}-${number}`;
}

const commonFacts = {
  none: defaultAntivirus,
  vendor: withVendorInstalled(defaultAntivirus),
  other: { ...defaultAntivirus, status: 3, product: 'Built-in Defense', realTimeProtection: true },
  mac: { ...defaultAntivirus, isMac: true, buildNumber: null, supported: false },
} as const satisfies Record<string, StoredAntivirus>;

function generateAntivirus(random: Random): StoredAntivirus {
  const dice = random.fraction();
  if (dice < 0.4) return commonFacts.vendor;
  if (dice < 0.6) return commonFacts.other;
  return dice < 0.9 ? commonFacts.none : commonFacts.mac;
}

/** Every host has its site, every second one also an owner. */
function generateCustomFields(siteIndex: number, random: Random): Readonly<Record<string, string>> {
  const site = { [siteCategory.id]: siteCategory.values[siteIndex]?.id ?? '' };
  return random.fraction() < 0.5
    ? { ...site, [ownerCategory.id]: random.pick(ownerCategory.values).id }
    : site;
}
