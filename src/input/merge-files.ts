import { quoted } from '../core/lib/words.ts';
import type { Desired, Rule } from '../core/model/desired.ts';
import { defaultLimits, type LimitName, type Policy } from '../core/model/policy.ts';
import { type Place, problem } from '../core/problem/problem.ts';
import type { PlacedEntries } from './entries/placed-entries.ts';
import { intentKey } from './policy/read-group-policies.ts';
import type { FleetFile } from './read-file.ts';
import type { PlacedRule } from './rules/read-rules.ts';
import type { ProblemList } from './values/problem-list.ts';

/**
 * Merges several files into one desired state. All must name the same account, and each limit may be set only once.
 * `mustManage` is false if a file could not be read, so that missing parts may be in that file, and for files that
 * declare tables, which `rampart coverage` compares with any fleet.
 */
export function mergeFiles(
  files: readonly FleetFile[],
  entries: PlacedEntries,
  problems: ProblemList,
  mustManage: boolean,
): Desired {
  const placedRules = files.flatMap((file) => file.rules);
  const rules = placedRules.map(({ rule }, index): Rule => ({ index, ...rule }));
  const first = files[0];
  if (
    mustManage &&
    first !== undefined &&
    files.every(({ entries: listed, hasRules }) => listed === undefined && !hasRules)
  ) {
    problems.add(
      problem(
        'missing-key',
        files.length === 1
          ? '"hosts", "hostsFrom" and "rules" are missing'
          : 'no file has "hosts", "hostsFrom" or "rules"',
        {
          place: first.source.placeOf({ start: 0, end: 0 }),
          hint: 'add "hosts:" with a list of entries, "hostsFrom:" with tables, or "rules:"; for no hosts, write "hosts: []"',
        },
      ),
    );
  }
  refuseRepeatedRules(placedRules, problems);
  const companyId = mergeCompanyIds(files, problems);
  return {
    files: files.map((file) => file.source.file),
    ...(companyId === undefined ? {} : { companyId }),
    ...mergeLimits(files, problems),
    ...mergeIdentity(files, problems),
    ...entries,
    rules,
    knownDrift: files.flatMap((file) => file.knownDrift),
    policy: mergePolicies(files, problems),
    placeOfRule(index, attribute) {
      const { source, span, attributes } = placedRules[index] as PlacedRule;
      return source.placeOf((attribute === undefined ? undefined : attributes[attribute]) ?? span);
    },
  };
}

function mergeCompanyIds(files: readonly FleetFile[], problems: ProblemList): Desired['companyId'] {
  let merged: Desired['companyId'];
  for (const { source, companyId } of files) {
    if (companyId === undefined) continue;
    const place = source.placeOf(companyId.span);
    if (merged === undefined) merged = { value: companyId.value, place };
    else if (merged.value !== companyId.value) {
      problems.add(
        problem(
          'account-mismatch',
          `the files are for two accounts: ${merged.value} and ${companyId.value}`,
          {
            place,
            related: [merged.place],
            hint: 'plan the files of one account at a time',
          },
        ),
      );
    }
  }
  return merged;
}

/** Plans identify a rule by its name, so no two may have the same. */
function refuseRepeatedRules(rules: readonly PlacedRule[], problems: ProblemList): void {
  const placeOf = ({ source, span, attributes }: PlacedRule) => source.placeOf(attributes.name ?? span);
  for (const [rule, earlier] of repeats(rules, (each) => each.rule.name)) {
    problems.add(
      problem('duplicate-name', `two rules have the name ${quoted(rule.rule.name)}`, {
        place: placeOf(rule),
        related: [placeOf(earlier)],
        hint: 'give one of them another name: plans report a rule by its name',
      }),
    );
  }
}

/** The policies of all files apply together. A setting that may occur only once is reported with both places. */
function mergePolicies(files: readonly FleetFile[], problems: ProblemList): Policy {
  const policy = {
    protect: files.flatMap((file) => file.policy.protect),
    changes: files.flatMap((file) => file.policy.changes),
    windows: files.flatMap((file) => file.policy.windows),
    freezes: files.flatMap((file) => file.policy.freezes),
    groups: files.flatMap((file) => file.groups),
  };
  const named = [...policy.protect, ...policy.changes, ...policy.windows, ...policy.freezes];
  for (const [{ name, place }, earlier] of repeats(named, (each) => each.name)) {
    problems.add(
      problem('duplicate-name', `two policies have the name ${quoted(name)}`, {
        place,
        related: [earlier.place],
        hint: 'give one of them another name: plans report a policy by its name',
      }),
    );
  }
  for (const [{ place }, earlier] of repeats(policy.groups, ({ group }) => intentKey(group))) {
    problems.add(
      problem('duplicate-key', 'the group is in "groups" twice', {
        place,
        related: [earlier.place],
        hint: 'merge the two items',
      }),
    );
  }
  const unmanaged = files.flatMap((file) => file.unmanaged ?? []);
  refuseRepeated('unmanaged', unmanaged, problems);
  return { ...policy, ...(unmanaged[0] === undefined ? {} : { unmanaged: unmanaged[0] }) };
}

/** One key identifies the hosts of all files. Rules can rely on it only if there is one. */
function mergeIdentity(files: readonly FleetFile[], problems: ProblemList): Pick<Desired, 'identity'> {
  const found = files.flatMap(({ identity }) => identity ?? []);
  refuseRepeated('identity', found, problems);
  const [identity] = found;
  for (const { rule, source, attributes, span } of identity === undefined
    ? files.flatMap(({ rules }) => rules)
    : []) {
    if (rule.successor === undefined) continue;
    problems.add(
      problem('missing-key', `rule ${quoted(rule.name)} has "successor", and no file has "identity"`, {
        place: source.placeOf(attributes.rename ?? span),
        hint: 'add, for example, identity: { key: host.inventory.hardware.serviceTag }',
      }),
    );
  }
  return identity === undefined ? {} : { identity };
}

/** A setting of the whole desired state that several files have. */
function refuseRepeated(
  key: string,
  found: readonly { readonly place: Place }[],
  problems: ProblemList,
): void {
  for (const [{ place }, earlier] of repeats(found, () => '')) {
    problems.add(
      problem('duplicate-key', `"${key}" is set in two files`, {
        place,
        related: [earlier.place],
        hint: 'keep one of them',
      }),
    );
  }
}

function mergeLimits(
  files: readonly FleetFile[],
  problems: ProblemList,
): Pick<Desired, 'limits' | 'limitPlaces'> {
  const places = new Map<LimitName, Place>();
  const limits = { ...defaultLimits };
  for (const { source, policy } of files) {
    for (const { name, limit, key } of policy.limits) {
      const place = source.placeOf(key);
      const earlier = places.get(name);
      if (earlier !== undefined) {
        problems.add(
          problem('duplicate-key', `the limit "${name}" is set in two files`, {
            place,
            related: [earlier],
            hint: 'keep one of them',
          }),
        );
        continue;
      }
      places.set(name, place);
      limits[name] = limit;
    }
  }
  return { limits, limitPlaces: Object.fromEntries(places) };
}

/** Each item whose key an earlier item has, with the first item that has it. */
function repeats<T>(items: readonly T[], key: (item: T) => string): readonly (readonly [T, T])[] {
  const first = new Map<string, T>();
  return items.flatMap((item) => {
    const earlier = first.get(key(item));
    if (earlier !== undefined) return [[item, earlier] as const];
    first.set(key(item), item);
    return [];
  });
}
