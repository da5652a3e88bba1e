import type { Value } from '../value/value.ts';

/** What a plan does with one attribute. */
export type PlanModifier =
  /** Where configuration says nothing, an update keeps what the state has. */
  | { readonly kind: 'keep-prior' }
  /** A change can only be made by making the resource anew. */
  | { readonly kind: 'requires-replace' }
  /** The same, where the function says so of the old and the new value (neither is unknown). */
  | { readonly kind: 'requires-replace-if'; readonly says: string; readonly holds: Condition };

export type Condition = (prior: Value, planned: Value) => boolean;

export const keepPrior: PlanModifier = { kind: 'keep-prior' };
export const requiresReplace: PlanModifier = { kind: 'requires-replace' };

/** `T` is what the attribute holds: `requiresReplaceIf<string>('…', (prior, planned) => …)`. */
export function requiresReplaceIf<T extends Value>(
  says: string,
  holds: (prior: T, planned: T) => boolean,
): PlanModifier {
  return { kind: 'requires-replace-if', says, holds: holds as Condition };
}
