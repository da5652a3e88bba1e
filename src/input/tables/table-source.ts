import type { AssetTable } from '../../core/model/asset-table.ts';
import type { RegisterRequest } from '../../core/model/register-request.ts';
import type { Result } from '../../core/problem/problem.ts';

/** The source of a table's rows, as the desired state declares it. Each kind of source adds a field. */
export type TableOrigin = FileOrigin | { readonly kind: 'register'; readonly request: RegisterRequest };

export interface FileOrigin {
  readonly kind: 'file';
  /** Relative to the file that declares the table. */
  readonly path: string;
  /** Where a JSON document has its list of rows, such as `data.items`. */
  readonly rowsAt?: string;
}

/** The complete content of a table. */
export type TableContent = Pick<AssetTable, 'rows' | 'origin' | 'hash' | 'changedAt'>;

/**
 * Gives the content of a table, or the reason why not all of it could be read. A source never gives a part of a table: a
 * failed page, a response that ends early and a row that can't be read are problems. Messages contain no cells and no
 * credentials.
 *
 * Reading a desired state is synchronous, so a source that waits for a network fetches its tables first and gives them
 * here. `namedBy` is the file that declares the table.
 */
export type TableSource = (origin: TableOrigin, namedBy: string) => Result<TableContent>;
