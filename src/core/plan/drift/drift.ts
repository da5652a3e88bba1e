import type { IgnoredAttribute } from '../../model/entry.ts';
import {
  type GroupId,
  type HostId,
  mayBeUnreadable,
  type Observed,
  type ObservedHost,
} from '../../model/observed.ts';
import { readTemporaryName } from '../../model/temporary-name.ts';
import { type Place, type Problem, warning } from '../../problem/problem.ts';
import { compare, type Diff } from '../difference/compare.ts';
import { missingHosts } from '../guards/missing-hosts.ts';
import { unreadableHostProblems } from '../guards/unreadable-hosts.ts';
import { placeOfClaim } from '../intents/claim.ts';
import { createGroupResolver, groupValue } from '../intents/groups.ts';
import type { Intent } from '../intents/intents.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { type DriftKind, type DriftValues, driftKindOf, valueBefore } from './drift-kind.ts';
import { knownDrifts } from './known-drifts.ts';

/** A host's values when Rampart last read or changed it. */
export interface KnownHost {
  readonly name: string | null;
  readonly groupId: GroupId;
  /** Absent if the anti-virus list was not read at that time. */
  readonly antivirus?: boolean;
}

/** The earlier state that the fleet is compared with, to show whether the fleet or the file changed. */
export interface Baseline {
  /** A short description of its origin: `run 2026…`, `plan.json`. */
  readonly source: string;
  /** An RFC 3339 time. */
  readonly at: string;
  /** Does it contain every host of that time? */
  readonly complete: boolean;
  host(id: HostId): KnownHost | undefined;
  /** The values before someone else changed or deleted the host, if that was before the last run, which left it alone. */
  earlier(id: HostId): KnownHost | undefined;
  /** Null for no group, and for a group without a name. */
  groupName(id: GroupId): string | null;
  ids(): Iterable<HostId>;
}

export interface DriftDifference {
  readonly kind: DriftKind;
  readonly hostId: HostId;
  /** The name that readers know the host by. */
  readonly name: string | null;
  readonly attribute: IgnoredAttribute | 'presence';
  /** The value in the baseline; absent if the baseline does not have it. */
  readonly before?: string;
  readonly observed: string;
  readonly intended: string;
  readonly place?: Place;
  /** The reason if someone has accepted the difference. */
  readonly known?: string;
}

/** True for a difference that nobody intended: not pending, not in progress, and not accepted. */
export function isDrift({ kind, known }: DriftDifference): boolean {
  return kind !== 'pending' && kind !== 'in-progress' && known === undefined;
}

export interface DriftReport {
  readonly baseline?: { readonly source: string; readonly at: string };
  readonly takenAt: string;
  readonly differences: readonly DriftDifference[];
  /** Changes of unmanaged hosts; only if requested. */
  readonly unmanaged: readonly DriftDifference[];
  readonly problems: readonly Problem[];
}

export interface DriftOptions {
  readonly baseline?: Baseline;
  /** Report unmanaged hosts too. */
  readonly unmanaged: boolean;
}

/** Compares three states, attribute by attribute: the baseline, the observed fleet, and the desired state. */
export function findDrift(inputs: PlanInputs, options: DriftOptions): DriftReport {
  const difference = compare({ ...inputs, strict: false, skipBlocked: true }, inputs.observed);
  return compareStates(inputs, difference).report(options);
}

/** Without ids and records, nothing shows whether an empty list is right, and it must not pass for an end of drift. */
const nothingCompared = warning('hosts-missing', 'the list has no hosts, so nothing was compared', {
  hint: 'check the account and the service; if the account really has no hosts, add --allow-empty-fleet',
});

function isEmptyAllowed({ allowEmptyFleet, desired: { limits } }: PlanInputs): boolean {
  return allowEmptyFleet === true || (limits.missing.kind === 'share' && limits.missing.percent >= 100);
}

/** Can an issue about drift end after this report? */
export function isCompared({ problems }: Pick<DriftReport, 'problems'>): boolean {
  return problems.every(({ code }) => code !== 'hosts-missing');
}

export interface StateComparison {
  /** Whether the report of managed hosts depends on the baseline. Without any difference it does not. */
  dependsOnBaseline(): boolean;
  report(options: DriftOptions): DriftReport;
}

/**
 * The same in two steps, for a baseline that has to be read first. `difference` is that of these inputs; its errors are
 * problems of the report.
 */
export function compareStates(inputs: PlanInputs, difference: Diff): StateComparison {
  const { desired, observed } = inputs;
  const { matching, problems } = difference;
  const intents = difference.intents();
  const pending = new Map(difference.pendingInstalls.map(({ host, state }) => [host.id, state]));
  const register = knownDrifts(desired.knownDrift, inputs.now);
  const groups = createGroupResolver(observed);
  return {
    dependsOnBaseline: () =>
      matching.awaiting.some(({ id }) => id !== undefined) ||
      intents.some((intent) => compareHost(intent, undefined).length > 0),
    report({ baseline, unmanaged }) {
      const compared = intents.flatMap((intent) => compareHost(intent, baseline));
      const absences = missingHosts({
        limits: desired.limits,
        ...(desired.limitPlaces === undefined ? {} : { limitPlaces: desired.limitPlaces }),
        pinned: matching.pinned,
        fleetSize: observed.count,
        ...(inputs.lastFleetSize === undefined ? {} : { lastFleetSize: inputs.lastFleetSize }),
        deletes: false,
        allowEmptyFleet: inputs.allowEmptyFleet ?? false,
      });
      return {
        ...(baseline === undefined ? {} : { baseline: { source: baseline.source, at: baseline.at } }),
        takenAt: observed.takenAt,
        differences: [...compared, ...deleted(baseline)].map((each) => ({
          ...each,
          ...register.noteOn(each),
        })),
        unmanaged: unmanaged && baseline !== undefined ? changedByOthers(baseline, observed, claimed()) : [],
        problems: [
          ...problems.filter(({ severity }) => severity === 'error'),
          ...absences.map((each) => each.problem),
          ...(observed.count === 0 && absences.length === 0 && !isEmptyAllowed(inputs)
            ? [nothingCompared]
            : []),
          ...unreadableHostProblems({ desired, observed, matching, changes: difference.changes }),
          ...register.problems(),
        ],
      };
    },
  };

  function claimed(): ReadonlySet<HostId> {
    return new Set(intents.map(({ host }) => host.id));
  }

  function compareHost(intent: Intent, baseline: Baseline | undefined): readonly DriftDifference[] {
    const { host } = intent;
    const before = baseline?.host(host.id);
    const earlier = baseline?.earlier(host.id);
    const differences: DriftDifference[] = [];
    const add = (attribute: DriftDifference['attribute'], parts: DriftValues & { readonly place: Place }) => {
      if (parts.intended === parts.observed) return;
      differences.push({
        kind: (attribute === 'antivirus' ? pending.get(host.id) : undefined) ?? driftKindOf(parts),
        hostId: host.id,
        name: host.name,
        attribute,
        ...(parts.before === undefined ? {} : { before: parts.before }),
        observed: parts.observed,
        intended: parts.intended,
        place: parts.place,
      });
    };
    if (intent.absent !== undefined) {
      const place = placeOfClaim(desired, intent.absent, 'ensure');
      const was = before === undefined ? {} : { before: 'present' };
      add('presence', { ...was, observed: 'present', intended: 'absent', place });
      return differences;
    }
    if (intent.name !== undefined) {
      add('name', {
        ...valueBefore(intent.name.to, before && nameWords(before.name), earlier && nameWords(earlier.name)),
        observed: nameWords(host.name),
        intended: intent.name.to,
        place: placeOfClaim(desired, intent.name.claim, 'name'),
      });
    }
    const { group } = intent;
    const target = group && groups.resolve(group.intent, () => placeOfClaim(desired, group.claim, 'group'));
    if (group !== undefined && target !== undefined) {
      add('group', {
        ...valueBefore(
          groupValue(target.id, observed),
          before && groupValue(before.groupId, observed),
          earlier && groupValue(earlier.groupId, observed),
        ),
        observed: groupValue(host.groupId, observed),
        intended: groupValue(target.id, observed),
        place: placeOfClaim(desired, group.claim, 'group'),
      });
    }
    if (intent.antivirus !== undefined && (host.antivirus?.supported === true || pending.has(host.id))) {
      add('antivirus', {
        ...valueBefore(installedWord, antivirusWords(before?.antivirus), antivirusWords(earlier?.antivirus)),
        observed: antivirusWords(host.antivirus?.installed === true),
        intended: installedWord,
        place: placeOfClaim(desired, intent.antivirus, 'antivirus'),
      });
    }
    return differences;
  }

  /** Hosts that the file pins by id and that existed in the baseline: someone deleted them. */
  function deleted(baseline: Baseline | undefined): readonly DriftDifference[] {
    return matching.awaiting.flatMap(({ id, index }) => {
      const before = id === undefined ? undefined : (baseline?.host(id) ?? baseline?.earlier(id));
      if (id === undefined || before === undefined || mayBeUnreadable(observed, id)) return [];
      const place = desired.placeOf(index, 'id');
      const values = { before: 'present', observed: 'absent', intended: 'present' };
      return [{ kind: 'drift', hostId: id, name: before.name, attribute: 'presence', ...values, place }];
    });
  }
}

function nameWords(name: string | null): string {
  const temporary = readTemporaryName(name);
  return temporary === undefined ? (name ?? '') : `${temporary.shown} (temporary name)`;
}

const installedWord = 'installed';

function antivirusWords(installed: boolean): string;
function antivirusWords(installed: boolean | undefined): string | undefined;
function antivirusWords(installed: boolean | undefined): string | undefined {
  return installed === undefined ? undefined : installed ? installedWord : 'not installed';
}

function changedByOthers(
  baseline: Baseline,
  observed: Observed,
  claimed: ReadonlySet<HostId>,
): readonly DriftDifference[] {
  const differences: DriftDifference[] = [];
  const add = (
    host: Pick<ObservedHost, 'id' | 'name'>,
    attribute: DriftDifference['attribute'],
    before: string,
    now: string,
  ) => {
    if (before === now) return;
    const { id: hostId, name } = host;
    differences.push({ kind: 'drift', hostId, name, attribute, before, observed: now, intended: '' });
  };
  for (let index = 0; index < observed.count; index += 1) {
    const host = observed.at(index);
    if (claimed.has(host.id)) continue;
    const before = baseline.host(host.id);
    if (before === undefined) {
      if (baseline.complete) add(host, 'presence', 'absent', 'present');
      continue;
    }
    add(host, 'name', nameWords(before.name), nameWords(host.name));
    add(host, 'group', groupValue(before.groupId, observed), groupValue(host.groupId, observed));
  }
  for (const id of baseline.ids()) {
    const before = baseline.host(id);
    if (before === undefined || claimed.has(id) || observed.byId(id) !== undefined) continue;
    add({ id, name: before.name }, 'presence', 'present', 'absent');
  }
  return differences;
}
