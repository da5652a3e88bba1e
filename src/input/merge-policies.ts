import { quoted } from '../core/lib/words.ts';
import { type Desired } from '../core/model/desired.ts';
import { defaultLimits, type LimitName, type Policy } from '../core/model/policy.ts';
import { type Place, problem } from '../core/problem/problem.ts';
import { intentKey } from './policy/read-group-policies.ts';
import type { FleetFile } from './read-file.ts';
import type { ProblemList } from './values/problem-list.ts';

/** The policies of all files apply together. A setting that may occur only once is reported with both places. */
export function mergePolicies(files: readonly FleetFile[], problems: ProblemList): Policy {
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
export function mergeIdentity(files: readonly FleetFile[], problems: ProblemList): Pick<Desired, 'identity'> {
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

export function mergeLimits(
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
