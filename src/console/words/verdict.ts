import type { Health } from '../../api/accounts.ts';
import type { Overview } from '../../api/overview.ts';
import { listed } from '../../core/lib/words.ts';
import { counted, figure } from '../../output/components/numbers.ts';

const phrases: readonly (readonly [Health, (count: number) => string])[] = [
  ['failing', (count) => (count === 1 ? 'is failing' : 'are failing')],
  ['in_doubt', (count) => (count === 1 ? 'is in doubt' : 'are in doubt')],
  ['drifted', (count) => (count === 1 ? 'has drifted' : 'have drifted')],
  ['waiting', (count) => (count === 1 ? 'has a waiting plan' : 'have a waiting plan')],
];

/** Is everything as it should be? One sentence, the worst first. */
export function verdict({
  accounts,
  unchecked,
  health,
}: Pick<Overview, 'accounts' | 'unchecked' | 'health'>): string {
  const parts = phrases
    .map(([name, phrase]) => [health[name] ?? 0, phrase] as const)
    .filter(([count]) => count > 0)
    .slice(0, 3);
  const [first] = parts;
  if (first !== undefined) {
    const [, ...others] = parts.map(([count, phrase]) => `${figure(count)} ${phrase(count)}`);
    return listed([`${counted(first[0], 'account')} ${first[1](first[0])}`, ...others]);
  }
  if (accounts > 0 && unchecked === accounts) return 'No account has been checked yet';
  if (unchecked > 0)
    return `${counted(unchecked, 'account')} not checked yet, nothing else needs your attention`;
  const busy = (health.running ?? 0) + (health.in_progress ?? 0);
  if (busy > 0) return `Nothing needs your attention, ${counted(busy, 'account')} at work`;
  const paused = health.paused ?? 0;
  if (paused > 0) return `Nothing needs your attention, ${counted(paused, 'account')} paused`;
  const ignored = health.ignored ?? 0;
  if (ignored > 0)
    return `Nothing needs your attention, ${counted(ignored, 'account')} with ignored differences`;
  return accounts === 1
    ? 'The account is as it should be'
    : `All ${figure(accounts)} accounts are as they should be`;
}
