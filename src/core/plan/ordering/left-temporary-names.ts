import type { Observed } from '../../model/observed.ts';
import { isProvenParkedName } from '../../model/temporary-name.ts';
import { type Problem, warning } from '../../problem/problem.ts';
import type { HostChange } from '../difference/compare.ts';
import { indexTemporaryNames, type TemporaryNames } from '../intents/temporary-names.ts';

/** Could `leftParked` find any? A tilde is looked for alone: that is quick, and hardly any name has one. */
export function mayLeaveTemporaryNames(temporary: TemporaryNames, changes: readonly HostChange[]): boolean {
  return temporary.length > 0 || changes.some(({ rename }) => rename?.includes('~') === true);
}

/**
 * Hosts that keep a temporary name, because nobody claims them any more; and hosts whose name only looks like one.
 * Anyone can write such a name, so it never decides how a run ends.
 */
export function leftTemporaryNames(predicted: Observed): readonly Problem[] {
  return indexTemporaryNames(predicted).map(({ host, temporary }) => {
    if (!isProvenParkedName(temporary, host.id)) {
      return warning(
        'lookalike-name',
        `host ${host.id} has the name "${host.name}", which looks like a temporary name of Rampart, but its hash is not one that Rampart gives`,
        { hint: 'rename the host if nobody meant that; it is left alone', hostIds: [host.id] },
      );
    }
    const was =
      temporary.kind === 'wanted'
        ? `is parked on its way to "${temporary.shown}"`
        : `is parked for deletion, and was called "${temporary.shown}"`;
    return warning('temporary-name-left', `host ${host.id} ${was}, and is left there`, {
      hint: `an entry with id ${host.id} and the name it is to have lands it, where nothing blocks that name`,
      hostIds: [host.id],
    });
  });
}
