import type { Desired } from '../core/model/desired.ts';
import type { Rule } from '../core/model/rule.ts';
import { problem } from '../core/problem/problem.ts';
import type { PlacedEntries } from './entries/placed-entries.ts';
import { mergeIdentity, mergeLimits, mergePolicies } from './merge-policies.ts';
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
