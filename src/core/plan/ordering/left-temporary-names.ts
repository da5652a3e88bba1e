import type { Observed } from '../../model/observed.ts';
import { isProvenTemporaryName } from '../../model/temporary-name.ts';
import { type Problem, warning } from '../../problem/problem.ts';
import type { HostDifference } from '../difference/compare.ts';
import { indexTemporaryNames, type TemporaryNames } from '../intents/temporary-names.ts';

/** Could `leftTemporaryNames` find any? It only searches for a tilde, which is quick, and few names have one. */
export function mayLeaveTemporaryNames(
  temporary: TemporaryNames,
  changes: readonly HostDifference[],
): boolean {
  return temporary.length > 0 || changes.some(({ rename }) => rename?.includes('~') === true);
}

/**
 * Hosts that keep a temporary name because nothing claims them anymore, and hosts whose name only looks like one.
 * Anyone can write such a name, so it never decides the outcome of a run.
 */
export function leftTemporaryNames(predicted: Observed): readonly Problem[] {
  return indexTemporaryNames(predicted).map(({ host, temporary }) => {
    if (!isProvenTemporaryName(temporary, host.id)) {
      return warning(
        'lookalike-name',
        `host ${host.id} has the name "${host.name}", which looks like a temporary name of Rampart, but Rampart did not create it`,
        { hint: 'the host is left unchanged; rename it if the name is a mistake', hostIds: [host.id] },
      );
    }
    const was =
      temporary.kind === 'rename'
        ? `has a temporary name; its intended name is "${temporary.shown}"`
        : `has a temporary name before deletion; its previous name is "${temporary.shown}"`;
    return warning('temporary-name-left', `host ${host.id} ${was}, and this plan leaves it unchanged`, {
      hint: `to complete the rename, add an entry with id ${host.id} and the intended name`,
      hostIds: [host.id],
    });
  });
}
