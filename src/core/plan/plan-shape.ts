import { z } from 'zod';
import { changeKinds } from '../model/policy.ts';
import { actsOf } from './ordering/planned-acts.ts';
import type { Plan } from './types/plan.ts';

/** The most effects of a plan, and the most hosts of an effect that are named. */
const mostEffects = 20;
const mostNamed = 3;

const effect = z.object({
  kind: z.enum(changeKinds),
  /** The rule that requests it, or the group to which entries move hosts; null for other changes of entries. */
  of: z.string().nullable(),
  hosts: z.int(),
  /** The names or ids of the first hosts. */
  first: z.array(z.string()),
});
export type PlanEffect = z.infer<typeof effect>;

/** What a plan changes, in a bounded number of effects, and in words that do not depend on its account. */
export const planShapeSchema = z.object({ effects: z.array(effect) });
export type PlanShape = z.infer<typeof planShapeSchema>;

export function planShape({ steps }: Plan): PlanShape {
  const all = new Map<string, PlanEffect>();
  for (const { kind, hostId, name, group, reason } of actsOf(steps)) {
    const target = group === undefined ? null : `to ${group.name ?? 'no group'}`;
    const { rule } = reason();
    const of = rule === undefined ? target : `rule "${rule}"`;
    add(all, { kind, of, hosts: 1, first: [name ?? hostId] });
  }
  const inOrder = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  const few = new Map<string, PlanEffect>();
  inOrder.forEach((each, at) => {
    add(few, at < mostEffects ? each : { ...each, of: 'other rules and groups' });
  });
  return { effects: [...few.values()] };
}

function add(effects: Map<string, PlanEffect>, each: PlanEffect): void {
  const key = effectKey(each);
  const { hosts = 0, first = [] } = effects.get(key) ?? {};
  effects.set(key, {
    ...each,
    hosts: hosts + each.hosts,
    first: [...first, ...each.first].slice(0, mostNamed),
  });
}

/** Kinds in the order in which a review shows them: what can't be undone first. */
const order = ['delete', 'antivirus', 'rename', 'move'] as const;

export const effectKey = ({ kind, of }: PlanEffect) => JSON.stringify([order.indexOf(kind), of]);
