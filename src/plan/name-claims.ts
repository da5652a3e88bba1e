import type { Desired } from '../model/desired.ts';
import { foldName } from '../model/host-name.ts';
import type { Observed } from '../model/observed.ts';
import { type Problem, problem, warning } from '../problem/problem.ts';
import type { Match, Matching } from './match.ts';

/** Every name that some present entry asks for, folded. */
export function claimedNames(desired: Desired): ReadonlySet<string> {
  const names = new Set<string>();
  for (let index = 0; index < desired.count; index += 1) {
    const { ensure, name } = desired.at(index);
    if (ensure === 'present' && name !== undefined) names.add(foldName(name));
  }
  return names;
}

/**
 * Names that fold alike can't be given twice. Where they are the current names of hosts pinned by id, nothing is
 * asked for: the fleet simply has them, and that is a warning.
 */
export function checkNameClaims(
  desired: Desired,
  matching: Matching,
  observed: Observed,
): readonly Problem[] {
  const claims = new Map<string, Match[]>();
  for (const match of matching.matches) {
    if (match.entry.ensure !== 'present' || match.entry.name === undefined) continue;
    const folded = foldName(match.entry.name);
    const known = claims.get(folded);
    if (known === undefined) claims.set(folded, [match]);
    else known.push(match);
  }
  const problems: Problem[] = [];
  for (const [folded, rivals] of claims) {
    const settled = rivals.every(({ entry, host }) => entry.id !== undefined && host.name === entry.name);
    if (rivals.length > 1 && !settled) problems.push(claimedTwice(desired, rivals));
    else if (rivals.every(({ entry, host }) => host.name === entry.name)) {
      problems.push(...liveDuplicates(folded, rivals, desired, observed));
    }
  }
  return problems;
}

function claimedTwice(desired: Desired, rivals: readonly Match[]): Problem {
  const [first, ...others] = rivals.map(({ entry }) => desired.placeOf(entry.index, 'name'));
  const names = [...new Set(rivals.map(({ entry }) => `"${entry.name}"`))];
  const what = names.length === 1 ? names[0] : `${names.join(' and ')}, one name to the service,`;
  return problem('duplicate-name', `${what} is claimed ${rivals.length} times`, {
    ...(first === undefined ? {} : { place: first }),
    related: others,
    hint: 'host names are unique in an account: give one of them another name',
    hostIds: rivals.map(({ host }) => host.id),
  });
}

function liveDuplicates(
  folded: string,
  rivals: readonly Match[],
  desired: Desired,
  observed: Observed,
): readonly Problem[] {
  const live = observed.byFoldedName(folded);
  const first = rivals[0];
  if (live.length < 2 || first === undefined) return [];
  return [
    warning('live-duplicate', `${live.length} hosts are called "${live[0]?.name}"`, {
      place: desired.placeOf(first.entry.index, 'name'),
      hint: `give each a name of its own: ${live.map((host) => host.id).join(', ')}`,
      hostIds: live.map((host) => host.id),
    }),
  ];
}
