import type { Desired } from '../../model/desired.ts';
import type { Condition, Template } from '../../model/expression.ts';
import type { Place } from '../../problem/problem.ts';

/** An expression of the desired state. `label` names what it belongs to in messages: `rule "sites"`. */
export interface PlacedExpression {
  readonly expression: Condition | Template;
  readonly label: string;
  place(): Place | undefined;
}

/** All conditions and templates of tables, rules and policies. */
export function expressionsOf(desired: Desired): readonly PlacedExpression[] {
  const { rules, policy, tables = [], identity } = desired;
  return [
    ...tables.map(({ name, join, place }) => ({
      expression: join,
      label: `table "${name}"`,
      place: () => place,
    })),
    ...(identity === undefined
      ? []
      : [{ expression: identity.key, label: '"identity"', place: () => identity.place }]),
    ...rules.flatMap(({ index, name, when, rename }) => {
      const label = `rule "${name}"`;
      const condition = { expression: when, label, place: () => desired.placeOfRule(index, 'when') };
      if (rename === undefined) return [condition];
      const template = { expression: rename, label, place: () => desired.placeOfRule(index, 'rename') };
      return [condition, template];
    }),
    ...[...policy.protect, ...policy.changes].map(({ name, when, place }) => ({
      expression: when,
      label: `policy "${name}"`,
      place: () => place,
    })),
  ];
}
