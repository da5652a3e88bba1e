import type { RuleClaim } from './claim.ts';
import { type StoodIn, standInsFor } from './stand-ins.ts';

/** The hosts that a rule applies to, if its CEL condition selects all hosts or lists their ids. */
export function hostsOfCondition({ text, said }: StoodIn): RuleClaim['hosts'] {
  if (text.trim() === 'true') return 'all';
  const ids = /^host\.id in \[([\d, ]*)\]$/.exec(text.trim())?.[1];
  return ids === undefined ? 'some' : (ids.match(/\d+/g) ?? []).map(said);
}

/** The same for a condition in a stack. */
export function hostsOfArgument(when: unknown): RuleClaim['hosts'] {
  const stoodIn = typeof when === 'string' ? standInsFor(when) : undefined;
  return stoodIn === undefined ? 'some' : hostsOfCondition(stoodIn);
}
