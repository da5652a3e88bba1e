import type { Desired } from '../model/desired.ts';
import type { HostId } from '../model/host-id.ts';
import type { Observed } from '../model/observed.ts';
import { note, type Problem, warning } from '../problem/problem.ts';
import { createGroupResolver, type GroupTarget } from './groups.ts';
import { type Match, type Matching, matchEntries } from './match.ts';

/** What one host needs to be as its entry says. */
export interface HostChange extends Match {
  readonly rename?: string;
  readonly move?: GroupTarget;
  readonly antivirus: boolean;
  readonly delete: boolean;
}

export interface Diff {
  readonly matching: Matching;
  /** Only hosts that need something, in the entries' order. */
  readonly changes: readonly HostChange[];
  readonly problems: readonly Problem[];
}

export interface DiffInputs {
  readonly desired: Desired;
  readonly observed: Observed;
  readonly now: string;
  readonly strict: boolean;
  readonly installsInProgress: ReadonlySet<HostId>;
}

export function diff(inputs: DiffInputs): Diff {
  const { desired, observed } = inputs;
  const matching = matchEntries(desired, observed, { strict: inputs.strict });
  const groups = createGroupResolver(desired, observed);
  const problems: Problem[] = [];
  const changes: HostChange[] = [];

  for (const match of matching.matches) {
    const { entry, host } = match;
    if (entry.ensure === 'absent') {
      const due = isDue(entry.deleteAfter, inputs.now);
      if (due) changes.push({ ...match, antivirus: false, delete: true });
      else problems.push(notDue(desired, match));
      continue;
    }
    const rename = entry.name !== undefined && entry.name !== host.name ? entry.name : undefined;
    const target = entry.group === undefined ? undefined : groups.resolve(entry.group, entry);
    const move = target !== undefined && target.id !== host.groupId ? target : undefined;
    const antivirus = entry.antivirus && needsInstall(match, inputs, problems);
    if (rename === undefined && move === undefined && !antivirus) continue;
    changes.push({
      ...match,
      ...(rename === undefined ? {} : { rename }),
      ...(move === undefined ? {} : { move }),
      antivirus,
      delete: false,
    });
  }
  return { matching, changes, problems: [...matching.problems, ...groups.problems(), ...problems] };
}

function isDue(deleteAfter: string | undefined, now: string): boolean {
  return deleteAfter === undefined || Date.parse(deleteAfter) <= Date.parse(now);
}

function notDue(desired: Desired, { entry, host }: Match): Problem {
  return note('deletion-not-due', `"${host.name}" (${host.id}) is to be deleted after ${entry.deleteAfter}`, {
    place: desired.placeOf(entry.index, 'deleteAfter'),
    hostIds: [host.id],
  });
}

/** A host that has it, can't take it, or was asked lately is never asked again. */
function needsInstall({ entry, host }: Match, inputs: DiffInputs, problems: Problem[]): boolean {
  if (host.antivirus?.installed === true) return false;
  const details = { place: inputs.desired.placeOf(entry.index, 'antivirus'), hostIds: [host.id] };
  if (host.antivirus === undefined) {
    problems.push(
      warning('antivirus-unsupported', `"${host.name}" (${host.id}) is not in the anti-virus list`, details),
    );
    return false;
  }
  if (!host.antivirus.supported) {
    problems.push(
      warning(
        'antivirus-unsupported',
        `the anti-virus can't be installed on "${host.name}" (${host.id})`,
        details,
      ),
    );
    return false;
  }
  if (inputs.installsInProgress.has(host.id)) {
    problems.push(
      note(
        'antivirus-in-progress',
        `an install on "${host.name}" (${host.id}) was asked for lately, and does not show yet`,
        { ...details, hint: 'it is not asked for twice; to ask again now: --antivirus-window 0s' },
      ),
    );
    return false;
  }
  return true;
}
