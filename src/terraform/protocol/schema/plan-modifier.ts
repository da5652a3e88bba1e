import type { Value } from '../value/value.ts';

/** How a plan treats one attribute. */
export type PlanModifier =
  /** If the configuration does not set it, an update keeps the value of the state. */
  | { readonly kind: 'keep-prior' }
  /** A change requires a replacement of the resource if this is true for the old and the new value (both known). */
  | { readonly kind: 'requires-replace-if'; readonly description: string; readonly holds: ModifierCondition };

export type ModifierCondition = (prior: Value, planned: Value) => boolean;

export const keepPrior: PlanModifier = { kind: 'keep-prior' };

/** `T` is the type of the attribute's value: `requiresReplaceIf<string>('…', (prior, planned) => …)`. */
export function requiresReplaceIf<T extends Value>(
  description: string,
  holds: (prior: T, planned: T) => boolean,
): PlanModifier {
  return { kind: 'requires-replace-if', description, holds: holds as ModifierCondition };
}
