import { quoted } from '../../core/lib/quoted.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

export function noRollout(id: string): Problem {
  return problem('usage', `roll-out ${quoted(id)} does not exist`, {
    hint: 'list the roll-outs with: rampart rollout status',
  });
}
