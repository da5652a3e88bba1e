import { z } from 'zod';
import type { Result } from '../../../core/problem/problem.ts';

/**
 * The digests of what lies outside the log, in a record under `what.covers`: by kind and id, such as `run:20261127…`. The
 * latest record decides. Null: it was removed on purpose.
 */
export type Covers = Readonly<Record<string, string | null>>;

/** How soon a signed head must cover a record, in milliseconds. A server signs more often than that. */
export const coverWithinMs = 5 * 60_000;

export type CoverKind = 'run-start' | 'run' | 'rollout' | 'plan' | 'approval';

const schema = z.looseObject({ covers: z.record(z.string(), z.string().nullable()) });

export function coverKey(kind: CoverKind, id: string): string {
  return `${kind}:${id}`;
}

/** The kind and the id of a key. */
export function readCoverKey(key: string): { readonly kind: string; readonly id: string } {
  const at = key.indexOf(':');
  return { kind: key.slice(0, at), id: key.slice(at + 1) };
}

/** What a record covers after it: nothing of these, because they are removed on purpose. */
export function uncover(kind: CoverKind, ids: readonly string[]): Covers {
  return Object.fromEntries(ids.map((id) => [coverKey(kind, id), null]));
}

export function coversOf(what: Readonly<Record<string, unknown>>): Covers {
  return schema.safeParse(what).data?.covers ?? {};
}

/** Stores what the log covers. */
export interface CoveredStore {
  readonly kinds: readonly CoverKind[];
  /** The current digests, by `coverKey`. Missing records have none. */
  digestsOf(wanted: ReadonlyMap<CoverKind, readonly string[]>): Promise<Result<ReadonlyMap<string, string>>>;
  /**
   * The keys of existing items that must be in the log. Items that were created since `recent` (milliseconds since the
   * epoch) may be left out, because their record may not be written yet.
   */
  present(recent: number): Promise<Result<readonly string[]>>;
  /** Contradictions in the store, whatever the log says: one sentence each. */
  contradictions?(): Promise<readonly string[]>;
}
