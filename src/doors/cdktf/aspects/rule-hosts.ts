import type { RuleClaim } from './claim.ts';
import { type StoodIn, standInsFor } from './stand-ins.ts';

/** Whom a rule is for, where its condition in CEL names all hosts, or their ids. */
export function hostsOfCondition({ text, said }: StoodIn): RuleClaim['hosts'] {
  if (text.trim() === 'true') return 'all';
  const ids = /^host\.id in \[([\d, ]*)\]$/.exec(text.trim())?.[1];
  return ids === undefined ? 'some' : (ids.match(/\d+/g) ?? []).map(said);
}

/** The same for a condition as a stack has it. */
export function hostsOfArgument(when: unknown): RuleClaim['hosts'] {
  const stoodIn = typeof when === 'string' ? standInsFor(when) : undefined;
  return stoodIn === undefined ? 'some' : hostsOfCondition(stoodIn);
}
