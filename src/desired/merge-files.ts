import { type Desired, defaultLimits, type LimitName, type Limits } from '../model/desired.ts';
import type { Place } from '../problem/place.ts';
import { problem } from '../problem/problem.ts';
import type { ProblemList } from './problem-list.ts';
import type { PlacedEntry } from './read-entry.ts';
import type { FleetFile } from './read-file.ts';

/**
 * Several files as one desired state. All must name the same account, and a limit is set only once. With
 * `isComplete` false a file could not be read, so what is missing may stand there.
 */
export function mergeFiles(files: readonly FleetFile[], problems: ProblemList, isComplete: boolean): Desired {
  const entries = files.flatMap((file) => file.entries ?? []);
  const first = files[0];
  if (isComplete && first !== undefined && files.every((file) => file.entries === undefined)) {
    problems.add(
      problem('missing-key', files.length === 1 ? '"hosts" is missing' : 'no file has "hosts"', {
        place: first.source.placeOf({ start: 0, end: 0 }),
        hint: 'add "hosts:" with a list of entries; for no hosts, write "hosts: []"',
      }),
    );
  }
  const companyId = mergeCompanyIds(files, problems);
  return {
    files: files.map((file) => file.source.file),
    ...(companyId === undefined ? {} : { companyId }),
    limits: mergeLimits(files, problems),
    count: entries.length,
    at: (index) => (entries[index] as PlacedEntry).entry,
    placeOf(index, attribute) {
      const { source, span, attributes } = entries[index] as PlacedEntry;
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
        problem('account-mismatch', `two files name two accounts: ${merged.value} and ${companyId.value}`, {
          place,
          related: [merged.place],
          hint: 'plan the files of one account at a time',
        }),
      );
    }
  }
  return merged;
}

function mergeLimits(files: readonly FleetFile[], problems: ProblemList): Limits {
  const places = new Map<LimitName, Place>();
  const limits = { ...defaultLimits };
  for (const { source, limits: set } of files) {
    for (const { name, limit, key } of set) {
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
  return limits;
}
