import {
  type AntivirusState,
  type CategoryState,
  defaultAntivirus,
  defaultCompanyId,
  type FleetState,
  type GroupState,
  type HostState,
  ungroupedId,
  withVendorInstalled,
} from './fleet-state.ts';
import { generateInventory } from './generate-inventory.ts';
import { createRandom, type Random } from './random.ts';

export interface GenerateOptions {
  readonly hosts: number;
  /** The same seed gives the same fleet, to the byte. */
  readonly seed?: number;
  /** Give most hosts an inventory; true for up to 1,000 hosts when absent. */
  readonly inventory?: boolean;
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

const mostHostsWithInventory = 1_000;
const smallIds = 100_000_000;
const largeIds = 2n ** 53n + 1n;
const roomOfLargeIds = 2n ** 63n - 1n - largeIds;

/**
 * A fleet that looks like one: unique names, of which some follow the site's scheme and some are what the
 * factory called the computer; every second id is beyond 2^53, up to nearly 2^63.
 */
export function generateFleet(options: GenerateOptions): FleetState {
  const { hosts: count, seed = 1, inventory = count <= mostHostsWithInventory } = options;
  const random = createRandom(seed);
  const stride = roomOfLargeIds / BigInt(Math.max(count, 1));
  const hosts = Array.from({ length: count }, (_, index): HostState => {
    const id =
      index % 2 === 0
        ? String(smallIds + index * 7 + random.below(7))
        : String(largeIds + stride * BigInt(index) + BigInt(random.below(1_000_000)));
    return generateHost(id, index, random, inventory);
  });
  return { companyId: defaultCompanyId, groups, categories: [siteCategory, ownerCategory], hosts };
}

function generateHost(id: string, index: number, random: Random, withInventory: boolean): HostState {
  const site = random.below(sites.length);
  const role = random.below(roles.length);
  const name = generateName(index, site, role, random);
  const isReporting = random.fraction() < 0.9;
  return {
    id,
    name,
    groupId: random.fraction() < 0.85 ? (groups[site * roles.length + role] as GroupState).id : ungroupedId,
    online: random.fraction() < 0.7,
    computerName: name.toUpperCase().slice(0, 15),
    stateChangedAt: `2026-0${1 + random.below(6)}-${String(1 + random.below(28)).padStart(2, '0')}T08:00:00Z`,
    inSession: false,
    antivirus: generateAntivirus(random),
    customFields: generateCustomFields(site, random),
    ...(withInventory && isReporting ? { inventory: generateInventory(index, random) } : {}),
  };
}

/** The number in it makes it unique. */
function generateName(index: number, site: number, role: number, random: Random): string {
  if (random.fraction() < 0.25)
    return `DESKTOP-${(index * 1_679_617 + 60_466_176).toString(36).toUpperCase()}`;
  const number = String(index + 1).padStart(5, '0');
  return `${sites[site]?.code}-${roles[role]?.code}-${number}`;
}

const commonFacts = {
  none: defaultAntivirus,
  vendor: withVendorInstalled(defaultAntivirus),
  other: { ...defaultAntivirus, status: 3, product: 'Built-in Defence', realTimeProtection: true },
  mac: { ...defaultAntivirus, isMac: true, buildNumber: null, supported: false },
} as const satisfies Record<string, AntivirusState>;

function generateAntivirus(random: Random): AntivirusState {
  const dice = random.fraction();
  if (dice < 0.4) return commonFacts.vendor;
  if (dice < 0.6) return commonFacts.other;
  return dice < 0.9 ? commonFacts.none : commonFacts.mac;
}

function generateCustomFields(site: number, random: Random): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  if (random.fraction() < 0.8) fields[siteCategory.id] = siteCategory.values[site]?.id ?? '';
  if (random.fraction() < 0.5) fields[ownerCategory.id] = random.pick(ownerCategory.values).id;
  return fields;
}
