import type { Desired } from '../../model/desired.ts';
import type { Entry } from '../../model/entry.ts';
import type { HostId, ObservedHost } from '../../model/observed.ts';
import { isTemporaryNameFor, readTemporaryName } from '../../model/temporary-name.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import type { Matching } from './matching.ts';

export interface CurrentNames {
  readonly problems: readonly Problem[];
  /** Hosts whose name is not what their entries expect: no plan changes them. */
  readonly refused: ReadonlySet<HostId>;
}

/**
 * An entry with a current name matches no other host, so an id damaged by a spreadsheet has no effect. A host that
 * already has its desired name or its temporary name is accepted.
 */
export function checkCurrentNames(desired: Desired, matching: Matching): CurrentNames {
  if (!hasCurrentNames(desired)) return inOrder;
  const problems: Problem[] = [];
  const refused = new Set<HostId>();
  for (const { entry, host } of matching.matches()) {
    if (entry.current === undefined || hasExpectedName(entry, entry.current, host)) continue;
    refused.add(host.id);
    problems.push(
      problem('name-differs', `host ${host.id} has the name ${nameOf(host)}, not "${entry.current}"`, {
        place: desired.placeOf(entry.index, 'current'),
        hint: 'check that the id is correct, then correct or remove "current"',
        hostIds: [host.id],
      }),
    );
  }
  return { problems, refused };
}

const inOrder: CurrentNames = { problems: [], refused: new Set() };

function hasCurrentNames(desired: Desired): boolean {
  for (let index = 0; index < desired.count; index += 1) {
    if (!desired.isPlainAt(index) && desired.at(index).current !== undefined) return true;
  }
  return false;
}

function hasExpectedName({ name, ensure }: Entry, current: string, host: ObservedHost): boolean {
  const expected = name === undefined ? [current] : [current, name];
  if (host.name !== null && expected.includes(host.name)) return true;
  const temporary = readTemporaryName(host.name);
  if (temporary === undefined) return false;
  const kinds = ensure === 'absent' ? (['deletion', 'rename'] as const) : (['rename'] as const);
  return kinds.some((kind) => expected.some((each) => isTemporaryNameFor(temporary, kind, host.id, each)));
}

function nameOf({ name }: ObservedHost): string {
  return name === null ? 'nothing' : `"${name}"`;
}
