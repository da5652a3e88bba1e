import type { AccountCheck } from '../../../accounts/engine/check-account.ts';
import type { AccountDetail } from '../../../api/accounts.ts';
import type { Desired } from '../../../core/model/desired.ts';
import type { ListName, ListRead, Observed } from '../../../core/model/observed.ts';
import type { OperatorPolicy } from '../../../core/model/operator-policy.ts';
import { allowance, changeKinds, type Limit, type LimitName } from '../../../core/model/policy.ts';
import type { CoverageByColumn } from '../../../core/plan/coverage.ts';
import { changeNouns } from '../../../core/plan/guards/guard.ts';
import { underOperator } from '../../../core/plan/guards/operator.ts';
import { plannedActs } from '../../../core/plan/ordering/planned-acts.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { type Place, shownPlace } from '../../../core/problem/problem.ts';
import { gapTitle } from '../../../output/review/coverage-text.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import { windowsNow } from '../decisions/windows-now.ts';

/** The data of an account's page, except its hosts, its drift and the windows of the operator. */
export type DetailOfAccount = Readonly<Pick<AccountDetail, 'windows' | 'coverage' | 'policies'>>;

type Share = AccountDetail['coverage']['inventory'][number];
type ShownTable = AccountDetail['coverage']['tables'][number];
/** `acted` are the hosts that it changes, protects or reports in the plan of this check. */
type PolicyInForce = AccountDetail['policies'][number];

/** What limits the changes of an account in addition to its desired state. */
export interface OperatorRules {
  readonly account: OperatorPolicy;
  readonly server: Pick<ServerSettings, 'windows' | 'freezes'>;
}

/** `now` is an RFC 3339 time. */
export function detailOf(
  { observed, plan, facts, coverage }: Pick<AccountCheck, 'observed' | 'plan' | 'facts' | 'coverage'>,
  given: Desired,
  { account, server }: OperatorRules,
  now: string,
): DetailOfAccount {
  const windows = [...given.policy.windows, ...account.windows, ...server.windows];
  const freezes = [...given.policy.freezes, ...server.freezes];
  const desired = { ...given, policy: { ...given.policy, windows, freezes } };
  return {
    windows: [...windowsNow(given.policy, now)],
    coverage: {
      inventory: sharesOf(observed, facts.lists, ['hardware-inventory', 'system-inventory'], (index) => {
        const id = observed.idAt(index);
        return facts.inventoryOf('hardware', id) !== undefined ||
          facts.inventoryOf('system', id) !== undefined
          ? 'inventory known'
          : undefined;
      }),
      antivirus: sharesOf(observed, observed.lists, ['antivirus-details'], (index) => {
        const { antivirus } = observed.at(index);
        return antivirus === undefined
          ? undefined
          : antivirus.installed
            ? 'installed'
            : antivirus.supported
              ? 'not installed'
              : 'not supported';
      }),
      tables: coverage.map(shownTable),
    },
    policies: [
      ...rulesIn(desired, plan),
      ...groupsIn(desired, plan),
      ...policiesIn(desired, plan),
      ...limitsInForce(underOperator(given, account, observed.count), plan, observed.count),
    ],
  };
}

/** The page shows the first findings of each kind; `rampart coverage` lists all. */
const mostFindings = 20;

function shownTable({ table, origin, total, columns, findings }: CoverageByColumn): ShownTable {
  return {
    table,
    origin,
    assets: total.assets,
    assets_with_host: total.assetsWithHost,
    groups: columns.flatMap(({ column, groups }) =>
      groups.map(({ value = null, assets, assetsWithHost }) => ({
        column,
        value,
        assets,
        assets_with_host: assetsWithHost,
      })),
    ),
    gaps: [...Map.groupBy(findings, ({ gap }) => gap)].map(([gap, found]) => ({
      gap,
      title: gapTitle(gap, found.length),
      count: found.length,
      findings: found.slice(0, mostFindings).map(({ key = null, host, place }) => ({
        key,
        ...(host === undefined ? {} : { host: { id: host.id, name: host.name } }),
        ...(place === undefined ? {} : { place: shownPlace(place) }),
      })),
    })),
  };
}

/** Empty if none of the lists that labels come from was read, or if no host has a label. */
function sharesOf(
  { count }: Observed,
  read: readonly ListRead[],
  needed: readonly ListName[],
  labelAt: (index: number) => string | undefined,
): Share[] {
  if (!read.some(({ list }) => needed.includes(list))) return [];
  const counts = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const label = labelAt(index) ?? unknown;
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  if ([...counts.keys()].every((label) => label === unknown)) return [];
  return [...counts].map(([label, hosts]) => ({ label, hosts })).sort((a, b) => b.hosts - a.hosts);
}

const unknown = 'unknown';

function rulesIn(desired: Desired, plan: Plan): PolicyInForce[] {
  const byRule = Map.groupBy(plannedActs(plan), ({ reason }) => reason().rule);
  return desired.rules.map(({ name, index }) => ({
    kind: 'rule',
    title: name,
    place: shownPlace(desired.placeOfRule(index)),
    acted: new Set(byRule.get(name)?.map(({ hostId }) => hostId)).size,
  }));
}

/** The policies of groups, with the hosts that they move out. */
function groupsIn({ policy }: Desired, plan: Plan): PolicyInForce[] {
  const reasons = [...plannedActs(plan)].flatMap(({ kind, reason }) => (kind === 'move' ? reason() : []));
  return policy.groups.map(({ group, othersTo, place }) => ({
    kind: 'group',
    title: group.kind === 'named' ? group.name : group.kind === 'id' ? `{ id: ${group.id} }` : 'no group',
    place: shownPlace(place),
    acted: reasons.filter(
      ({ file, line, col }) =>
        othersTo?.place.file === file && othersTo.place.line === line && othersTo.place.col === col,
    ).length,
  }));
}

function policiesIn({ policy }: Desired, { problems }: Plan): PolicyInForce[] {
  const acted = (name: string) =>
    problems.reduce(
      (sum, each) => sum + (each.policy === name ? Math.max(1, each.hostIds?.length ?? 0) : 0),
      0,
    );
  const inForce = (
    kind: PolicyInForce['kind'],
    { name, place }: { readonly name: string; readonly place: Place },
  ): PolicyInForce => ({ kind, title: name, place: shownPlace(place), acted: acted(name) });
  return [
    ...policy.protect.map((each) => inForce('protect', each)),
    ...policy.changes.map((each) => inForce(each.effect, each)),
    ...policy.windows.map((each) => inForce('window', each)),
    ...policy.freezes.map((each) => inForce('freeze', each)),
  ];
}

const nouns: Readonly<Record<LimitName, string>> = { ...changeNouns, missing: 'missing hosts' };

/**
 * The limits of a fleet of this size, and those of its groups. A limit that lets a plan change every host, and that no file
 * sets, is left out.
 */
function limitsInForce(
  { limits, limitPlaces = {}, policy }: Pick<Desired, 'limits' | 'limitPlaces' | 'policy'>,
  { breaches }: Pick<Plan, 'breaches'>,
  hosts: number,
): PolicyInForce[] {
  const exceeding = (name: LimitName, group?: string) =>
    breaches.find((breach) => breach.limit === name && breach.group === group)?.count ?? 0;
  const names = Object.keys(nouns) as readonly LimitName[];
  return [
    ...names
      .filter((name) => limitPlaces[name] !== undefined || allowance(limits[name], hosts) < hosts)
      .map((name) =>
        inForce(`at most ${amount(limits[name], hosts)} ${nouns[name]}`, limitPlaces[name], exceeding(name)),
      ),
    ...policy.groups.flatMap(({ group, limits: own, place }) => {
      const name = group.kind === 'named' ? group.name : group.kind === 'id' ? group.id : '-1';
      const shown = group.kind === 'ungrouped' ? 'no group' : name;
      return changeKinds.flatMap((kind) => {
        const limit = own[kind];
        if (limit === undefined) return [];
        return [inForce(`at most ${amount(limit)} ${nouns[kind]} in ${shown}`, place, exceeding(kind, name))];
      });
    }),
  ];
}

/** `3`, `10%`, or `10% (3)` of a known number of hosts. */
function amount(limit: Limit, hosts?: number): string {
  if (limit.kind === 'count') return String(limit.count);
  return hosts === undefined ? `${limit.percent}%` : `${limit.percent}% (${allowance(limit, hosts)})`;
}

/** `acted` are the planned changes, if they exceed the limit; else 0. No file may set it. */
function inForce(title: string, place: Place | undefined, acted: number): PolicyInForce {
  return {
    kind: 'limit',
    title,
    ...(place === undefined ? {} : { place: shownPlace(place) }),
    acted,
  };
}
