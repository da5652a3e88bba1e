import type { AccountMode } from '../../accounts/config/account-config.ts';
import type { FleetState, GroupState, StoredHostState } from '../../service/emulator/fleet-state.ts';
import { hostState } from '../../service/emulator/fleet-state.ts';
import type { ServiceSettings } from '../../service/emulator/service-settings.ts';

/** What is wrong with an account, so that each health of the console has an example. */
export type Story =
  | 'converged'
  | 'renamed'
  | 'moved'
  | 'enrolled'
  | 'vanished'
  | 'failing'
  | 'refused'
  | 'in-doubt'
  | 'in-progress'
  | 'over-limit'
  | 'paused'
  | 'corrected';

export interface EmulatedFleet {
  readonly name: string;
  readonly story: Story;
  readonly mode: AccountMode;
  readonly labels: { readonly region: string; readonly tier: string; readonly site: string };
  readonly state: FleetState;
  /** The hosts as the last run left them, before the story began. */
  readonly before: readonly StoredHostState[];
  /** Hosts as the desired state names them. */
  readonly desired: readonly { readonly id: string; readonly name: string; readonly group: string }[];
  readonly service: ServiceSettings;
}

const sites = [
  ['aurora-clinic', 'eu', 'gold', 'OSL'],
  ['baltic-freight', 'eu', 'silver', 'TLL'],
  ['birch-bank', 'eu', 'gold', 'HEL'],
  ['canal-hotels', 'eu', 'silver', 'AMS'],
  ['cedar-schools', 'us', 'bronze', 'SEA'],
  ['coral-labs', 'apac', 'gold', 'SYD'],
  ['delta-foods', 'us', 'silver', 'ATL'],
  ['elm-insurance', 'us', 'gold', 'BOS'],
  ['fjord-energy', 'eu', 'gold', 'BGO'],
  ['garnet-retail', 'us', 'bronze', 'DEN'],
  ['harbour-logistics', 'apac', 'silver', 'SIN'],
  ['iris-media', 'eu', 'bronze', 'BER'],
  ['juniper-care', 'us', 'silver', 'PDX'],
  ['kestrel-air', 'apac', 'gold', 'AKL'],
  ['linden-law', 'eu', 'silver', 'VIE'],
  ['maple-motors', 'us', 'bronze', 'DTW'],
  ['nordic-steel', 'eu', 'silver', 'GOT'],
  ['opal-mining', 'apac', 'bronze', 'PER'],
  ['pine-networks', 'us', 'gold', 'AUS'],
  ['quartz-design', 'eu', 'bronze', 'LIS'],
] as const;

const stories: readonly (readonly [Story, EmulatedFleet['mode']])[] = [
  ['converged', 'propose'],
  ['renamed', 'propose'],
  ['converged', 'correct'],
  ['moved', 'observe'],
  ['corrected', 'correct'],
  ['in-progress', 'correct'],
  ['failing', 'propose'],
  ['over-limit', 'correct'],
  ['converged', 'propose'],
  ['enrolled', 'propose'],
  ['converged', 'correct'],
  ['paused', 'propose'],
  ['vanished', 'propose'],
  ['converged', 'propose'],
  ['refused', 'propose'],
  ['converged', 'propose'],
  ['in-doubt', 'correct'],
  ['corrected', 'correct'],
  ['converged', 'propose'],
  ['renamed', 'propose'],
];

const groups: readonly GroupState[] = [
  { id: '101', name: 'Laptops' },
  { id: '102', name: 'Servers' },
  { id: '103', name: 'Kiosks' },
  { id: '104', name: 'Attic' },
];
const kinds = [
  { code: 'LT', group: '101' },
  { code: 'LT', group: '101' },
  { code: 'SRV', group: '102' },
  { code: 'KSK', group: '103' },
] as const;

const firstCompany = 4_100_000_001;

/** Twenty accounts with drift of every kind; the same each time. `now` is in milliseconds since 1970. */
export function emulatedFleets(now: number): readonly EmulatedFleet[] {
  return sites.map(([name, region, tier, site], index) => {
    const [story, mode] = stories[index] ?? ['converged', 'propose'];
    const hosts = hostsOf(index, site, now);
    const desired = hosts.map(({ id, name: own, groupId }) => ({
      id,
      name: own ?? '',
      group: groups.find((group) => group.id === groupId)?.name ?? '',
    }));
    const state = {
      companyId: String(firstCompany + index),
      groups,
      categories: [],
      hosts: withStory(hosts, story, site, now),
    };
    return {
      name,
      story,
      mode,
      labels: { region, tier, site },
      state,
      before: hosts,
      desired,
      service: serviceOf(story),
    };
  });
}

function hostsOf(account: number, site: string, now: number): readonly StoredHostState[] {
  const count = 24 + ((account * 7) % 20);
  return Array.from({ length: count }, (_, at) => {
    const { code, group } = kinds[at % kinds.length] ?? kinds[0];
    const name = `${site}-${code}-${String(at + 1).padStart(3, '0')}`;
    const hasAntivirus = code !== 'KSK';
    return host({
      id: String(500_000_000 + account * 1_000 + at),
      name,
      groupId: group,
      online: (at + account) % 6 !== 0,
      now,
      installed: hasAntivirus,
    });
  });
}

interface NewHost {
  readonly id: string;
  readonly name: string;
  readonly groupId: string;
  readonly online: boolean;
  readonly now: number;
  readonly installed: boolean;
}

function host({ id, name, groupId, online, now, installed }: NewHost): StoredHostState {
  return hostState({
    id,
    name,
    groupId,
    online,
    computerName: name,
    stateChangedAt: new Date(now - 3_600_000 * (1 + (Number(id) % 72))).toISOString(),
    ...(installed ? { antivirus: { installed: true } } : {}),
  });
}

function withStory(
  hosts: readonly StoredHostState[],
  story: Story,
  site: string,
  now: number,
): readonly StoredHostState[] {
  const every = (share: number, change: (given: StoredHostState, at: number) => StoredHostState) =>
    hosts.map((each, at) => (at % share === 1 ? change(each, at) : each));
  switch (story) {
    case 'renamed':
    case 'paused':
      return every(5, (each, at) => ({ ...each, name: `${each.name} (old ${at})` }));
    case 'corrected':
      return every(9, (each) => ({ ...each, name: `${each.name}-tmp` }));
    case 'moved':
      return every(4, (each) => ({ ...each, groupId: '104' }));
    case 'enrolled':
      return [...hosts, ...enrolled(5, site, now)];
    case 'vanished':
      return hosts.filter((_, at) => at % 4 !== 3);
    case 'over-limit':
      return [...hosts, ...enrolled(9, `OLD-${site}`, now)];
    default:
      return hosts;
  }
}

/** New computers with the names that their factory gave them. */
function enrolled(count: number, site: string, now: number): readonly StoredHostState[] {
  return Array.from({ length: count }, (_, at) => {
    const serial = (60_466_176 + at * 1_679_617).toString(36).toUpperCase();
    const name = site.startsWith('OLD-') ? `${site}-${at + 1}` : `DESKTOP-${serial}`;
    const id = String(600_000_000 + Number.parseInt(site.slice(-3), 36) * 100 + at);
    return host({ id, name, groupId: '101', online: at % 3 > 0, now, installed: false });
  });
}

function serviceOf(story: Story): ServiceSettings {
  switch (story) {
    case 'failing':
      return { faults: [{ effect: [{ kind: 'status', status: 503 }] }] };
    case 'refused':
      return { faults: [{ effect: [{ kind: 'status', status: 401 }] }] };
    case 'in-progress':
      return { switches: { installTakesMs: 3_600_000 } };
    case 'in-doubt':
      // The response to the install is lost, and no later read shows the install.
      return {
        switches: { installTakesMs: 7 * 86_400_000 },
        faults: [{ action: 'writes', nth: 1, effect: [{ kind: 'drop', when: 'after' }] }],
      };
    default:
      return {};
  }
}
