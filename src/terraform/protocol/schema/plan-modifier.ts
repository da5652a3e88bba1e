import type { Value } from '../value/value.ts';

/** How a plan treats one attribute. */
export type PlanModifier =
  /** If the configuration does not set it, an update keeps the value of the state. */
  | { readonly kind: 'keep-prior' }
  /** A change requires a replacement of the resource. */
  | { readonly kind: 'requires-replace' }
  /** The same, if the function returns true for the old and the new value (neither is unknown). */
  | { readonly kind: 'requires-replace-if'; readonly description: string; readonly holds: ModifierCondition };

export type ModifierCondition = (prior: Value, planned: Value) => boolean;

export const keepPrior: PlanModifier = { kind: 'keep-prior' };
/** @public No resource of Rampart needs it now; the providers of the tests show that the protocol does it. */
export const requiresReplace: PlanModifier = { kind: 'requires-replace' };

/** `T` is the type of the attribute's value: `requiresReplaceIf<string>('…', (prior, planned) => …)`. */
export function requiresReplaceIf<T extends Value>(
  description: string,
  holds: (prior: T, planned: T) => boolean,
): PlanModifier {
  return { kind: 'requires-replace-if', description, holds: holds as ModifierCondition };
}
