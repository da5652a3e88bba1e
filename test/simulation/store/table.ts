/** Rows by their key. Rows are values: a change replaces the old one. */
export interface Table<Row> {
  get(key: string): Row | undefined;
  set(key: string, row: Row): void;
  delete(key: string): void;
  /** In the order of their first insert. */
  entries(): Iterable<readonly [string, Row]>;
}

/** A table whose changes nobody else sees until they are committed. */
export interface DraftTable<Row> extends Table<Row> {
  commit(): void;
}

export function createTable<Row>(): Table<Row> {
  return new Map<string, Row>();
}

export function draftOf<Row>(table: Table<Row>): DraftTable<Row> {
  const changed = new Map<string, Row | undefined>();
  return {
    get: (key) => (changed.has(key) ? changed.get(key) : table.get(key)),
    set: (key, row) => void changed.set(key, row),
    delete: (key) => void changed.set(key, undefined),
    *entries() {
      const known = new Set<string>();
      for (const [key, row] of table.entries()) {
        known.add(key);
        const now = changed.has(key) ? changed.get(key) : row;
        if (now !== undefined) yield [key, now];
      }
      for (const [key, row] of changed) if (row !== undefined && !known.has(key)) yield [key, row];
    },
    commit() {
      for (const [key, row] of changed) {
        if (row === undefined) table.delete(key);
        else table.set(key, row);
      }
      changed.clear();
    },
  };
}

/** The rows, in the order of their first insert. */
export function rowsOf<Row>(table: Table<Row>): readonly Row[] {
  return [...table.entries()].map(([, row]) => row);
}
