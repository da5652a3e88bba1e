import { createHashIndex } from '../../columns/hash-index.ts';
import { hashOfFolded } from '../../columns/text-hash.ts';
import type { AssetTable } from '../../model/asset-table.ts';
import { assetKey, assetKeyHash } from './asset-key.ts';

/** Finds the row of a key. */
export interface TableIndex {
  /** The row with this key; -1 if there is none, or the key identifies nothing. */
  rowOf(key: string): number;
  /** Rows whose key an earlier row has, each with the earlier row, up to a few. */
  readonly repeated: readonly (readonly [earlier: number, later: number])[];
  /** How many rows have no key, or one that identifies nothing. */
  readonly withoutKey: number;
}

/** Nobody reads more. */
const mostRepeated = 20;

const known = new WeakMap<AssetTable['rows'], Map<string, TableIndex>>();

/** The index of a table by its key column, made once for all plans that use the table. */
export function tableIndex({ rows, key }: Pick<AssetTable, 'rows' | 'key'>): TableIndex {
  const ofRows = known.get(rows) ?? new Map<string, TableIndex>();
  known.set(rows, ofRows);
  const made = ofRows.get(key) ?? makeIndex({ rows, key });
  ofRows.set(key, made);
  return made;
}

function makeIndex({ rows, key }: Pick<AssetTable, 'rows' | 'key'>): TableIndex {
  const hashes = new Float64Array(rows.count);
  const keyAt = (row: number) => assetKey(rows.cellAt(row, key) ?? '');
  let withoutKey = 0;
  for (let row = 0; row < rows.count; row += 1) {
    const hash = assetKeyHash(rows.cellAt(row, key) ?? '');
    if (hash === -1) withoutKey += 1;
    hashes[row] = hash;
  }
  const index = createHashIndex(hashes);
  return {
    rowOf(text) {
      // Most keys are found as they are written. Rows whose key identifies nothing have no hash.
      const trimmed = text.trim();
      let row = index.first(hashOfFolded(trimmed));
      while (row !== -1 && rows.cellAt(row, key) !== trimmed && keyAt(row) !== assetKey(text))
        row = index.next(row);
      return row;
    },
    repeated: index.hasAlike ? repeatedRows() : [],
    withoutKey,
  };

  function repeatedRows(): TableIndex['repeated'] {
    const found: (readonly [number, number])[] = [];
    for (let row = 0; row < rows.count && found.length < mostRepeated; row += 1) {
      const hash = hashes[row] as number;
      let earlier = hash < 0 ? row : index.first(hash);
      while (earlier < row && keyAt(earlier) !== keyAt(row)) earlier = index.next(earlier);
      if (earlier < row) found.push([earlier, row]);
    }
    return found;
  }
}
