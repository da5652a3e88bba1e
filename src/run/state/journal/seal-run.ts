import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/lib/canonical-json.ts';
import { storableJson } from './storable-json.ts';

/** The digests of a run's records, which are the same in every backend. */
export interface RunSeal {
  /** The digest of its first record. */
  readonly start: string;
  /** The digest of all its records. */
  readonly whole: string;
}

/** Adds up the digest of records in their order. */
export function startSeal() {
  const hash = createHash('sha256');
  return {
    add: (record: unknown): void => void hash.update(`${storableJson(canonicalJson(record))}\n`),
    digest: (): string => hash.copy().digest('hex'),
  };
}

/** `others`: what contradicts the records. A run has nothing of the kind, so its digest then differs. */
export function sealRun(records: readonly unknown[], others: readonly unknown[] = []): RunSeal {
  const [head, ...rest] = records;
  const seal = startSeal();
  seal.add(head);
  const start = seal.digest();
  for (const record of [...rest, ...others]) seal.add(record);
  return { start, whole: seal.digest() };
}
