import type { ColumnUse } from './expression.ts';

/** A column as expressions write it: `asset.Site`, `asset["Asset Tag"]`. */
export function columnPath({ table, column }: ColumnUse): string {
  return /^[a-zA-Z_]\w*$/.test(column) ? `${table}.${column}` : `${table}[${JSON.stringify(column)}]`;
}
