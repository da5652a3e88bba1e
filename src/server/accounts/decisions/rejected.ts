import type { PlanTerms } from '../../plans/decisions/kept-units.ts';
import type { Rejection } from './account-state.ts';

/** What people have rejected of a plan: nothing, some of its effects, or exactly its changes. */
export interface Rejected {
  readonly kind: 'none' | 'some' | 'all';
  /** Who rejected it. */
  readonly by: string;
}

/**
 * A rejection applies to the rejected effects, whatever was proposed after it, until it expires. A plan of exactly
 * these changes is not proposed again. One that has some of them waits for a person, even within the limits.
 */
export function rejectedBefore(
  rejections: readonly Rejection[],
  found: {
    readonly checksum: string;
    readonly changeDigest: string | null;
    readonly terms?: PlanTerms;
  },
  now: number,
): Rejected {
  const held = rejections.filter(({ expiresAt }) => expiresAt.getTime() > now);
  const same = held.find(
    ({ checksum, changeDigest }) =>
      checksum === found.checksum || (changeDigest !== null && changeDigest === found.changeDigest),
  );
  if (same !== undefined) return { kind: 'all', by: same.by };
  const { terms } = found;
  const partly = held.find(
    (each) =>
      each.terms?.account === terms?.account &&
      [...(terms?.units.keys() ?? [])].some((unit) => each.terms?.units.has(unit) === true),
  );
  return partly === undefined ? { kind: 'none', by: '' } : { kind: 'some', by: partly.by };
}
