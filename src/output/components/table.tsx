import type { ComponentChildren } from 'preact';

export interface TableColumn<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** In place of the title, for example a box that chooses all rows. */
  readonly head?: ComponentChildren;
  /** Numbers are aligned with the end of their cell. */
  readonly isNumber?: boolean;
  /** The head of its row. */
  readonly isHead?: boolean;
  /** On a narrow screen the cell has no label, because its content explains itself. */
  readonly isPlain?: boolean;
  /** The column has a title for screen readers only. */
  readonly isTitleHidden?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly class?: string;
  /** Columns that the reader may order by, and the order now: `name` or `-name`. */
  readonly order?: Order;
}

export interface Order {
  readonly by: readonly string[];
  readonly current: string;
  readonly onOrder: (order: string) => void;
}

/** A table of up to some hundred rows. On a narrow screen each row becomes a card. */
export function Table<Row>({ label, columns, rows, keyOf, order, class: name = '' }: TableProps<Row>) {
  return (
    <div class="table-frame">
      <table class={`table ${name}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                class={column.isNumber === true ? 'number' : undefined}
                aria-sort={sortOf(column.key, order)}
              >
                <ColumnTitle column={column} order={order} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-row>
              {columns.map((column) => {
                const shared = {
                  class:
                    [
                      column.isNumber === true && 'number',
                      (column.isPlain === true || column.isTitleHidden === true) && 'plain',
                    ]
                      .filter(Boolean)
                      .join(' ') || undefined,
                  'data-label': column.title,
                };
                return column.isHead === true ? (
                  <th key={column.key} scope="row" {...shared}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} {...shared}>
                    {column.cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The title of a column, as a button if the reader may order by it. */
export function ColumnTitle<Row>({
  column,
  order,
}: {
  readonly column: TableColumn<Row>;
  readonly order: Order | undefined;
}) {
  if (column.head !== undefined) return <>{column.head}</>;
  if (column.isTitleHidden === true) return <span class="unseen">{column.title}</span>;
  if (order === undefined || !order.by.includes(column.key)) return <>{column.title}</>;
  const isCurrent = order.current.replace('-', '') === column.key;
  const next = order.current === column.key ? `-${column.key}` : column.key;
  return (
    <button type="button" class="order" onClick={() => order.onOrder(next)}>
      {column.title}
      <span class="order-glyph" aria-hidden="true">
        {isCurrent ? (order.current.startsWith('-') ? '↓' : '↑') : ''}
      </span>
    </button>
  );
}

export function sortOf(
  key: string,
  order: Order | undefined,
): 'ascending' | 'descending' | 'none' | undefined {
  if (order === undefined || !order.by.includes(key)) return undefined;
  if (order.current === key) return 'ascending';
  return order.current === `-${key}` ? 'descending' : 'none';
}
