import { didYouMean, nearest, quoted } from '../../core/lib/words.ts';
import type { GroupId, Observed } from '../../core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** Finds a group by name or id; -1 means ungrouped. */
export function findGroup(word: string, { groups }: Observed): Result<GroupId> {
  const named = groups.filter(({ name }) => name === word);
  const found = named.length > 0 ? named : groups.filter(({ id }) => id === word);
  const [first] = found;
  if (first !== undefined && found.length === 1) return ok(first.id);
  if (found.length > 1) {
    return failed(
      problem('ambiguous-group', `${found.length} groups have the name ${quoted(word)}`, {
        hint: `use an id: ${found.map(({ id }) => id).join(', ')}`,
      }),
    );
  }
  const near = nearest(
    word,
    groups.flatMap(({ name }) => (name === null ? [] : [name])),
  );
  return failed(
    problem('unknown-group', `group ${quoted(word)} does not exist`, {
      hint: didYouMean(near) ?? 'list the groups with: rampart hosts groups',
    }),
  );
}
