import { quoted } from '../../core/lib/quoted.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

const mostShown = 5;

/** `ids` are the rollouts that exist, the latest first, if they are known. */
export function noRollout(id: string, ids: readonly string[] = []): Problem {
  const latest = ids.slice(0, mostShown).join(', ');
  const details = latest === '' ? {} : { hint: `the latest rollouts are ${latest}` };
  return problem('usage', `rollout ${quoted(id)} does not exist`, details);
}
