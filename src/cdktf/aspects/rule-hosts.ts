import type { RuleClaim } from './claim.ts';
import { type TextWithStandIns, withStandIns } from './stand-ins.ts';

/** The hosts that a rule applies to, if its CEL condition selects all hosts or lists their ids. */
export function hostsOfCondition({ text, original }: TextWithStandIns): RuleClaim['hosts'] {
  if (text.trim() === 'true') return 'all';
  const ids = /^host\.id in \[([\d, ]*)\]$/.exec(text.trim())?.[1];
  return ids === undefined ? 'some' : (ids.match(/\d+/g) ?? []).map(original);
}

/** The same for a condition in a stack. */
export function hostsOfArgument(when: unknown): RuleClaim['hosts'] {
  const standIns = typeof when === 'string' ? withStandIns(when) : undefined;
  return standIns === undefined ? 'some' : hostsOfCondition(standIns);
}
