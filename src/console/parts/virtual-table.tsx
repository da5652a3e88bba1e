import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ColumnTitle, type Order, sortOf, type TableColumn } from '../../output/components/table.tsx';
import type { PageMemory } from '../data/page-store.ts';
import { orderChangeText } from '../words/order-change.ts';
import { Button } from './button.tsx';
import { GridRow } from './grid-row.tsx';
import { ErrorState, Skeleton } from './states.tsx';
import { useVirtualRows } from './virtual-list.tsx';

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly store: PageMemory<Row>;
  readonly keyOf: (row: Row) => string;
  /** What stands in place of no rows. */
  readonly empty: ComponentChildren;
  readonly tried: string;
  /** A class that sets `--columns`, the widths of the columns on a wide screen. */
  readonly class: string;
  readonly order?: Order;
  readonly isChosen?: (row: Row) => boolean;
}

const estimatedHeight = 44;

/** A table of any length: only rows in view are on the page, and the store reads them from the server. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { store, columns, order } = props;
  const { virtualizer, frame } = useVirtualRows(store.length, estimatedHeight);
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => store.need(first, last), [store, first, last, store.length]);

  if (!store.isRead) {
    if (store.problem === null) return <Skeleton lines={12} />;
    return <ErrorState problem={store.problem} tried={props.tried} onRetry={() => store.restart()} />;
  }
  if (store.length === 0) return <>{props.empty}</>;
  const margin = virtualizer.options.scrollMargin;
  return (
    <div class="virtual">
      <OrderNotice store={store} />
      <div
        role="table"
        class={`table grid ${props.class}`}
        aria-label={props.label}
        aria-rowcount={store.total ?? -1}
        aria-busy={store.isLoading}
      >
        <div role="rowgroup" class="grid-head">
          <div role="row" aria-rowindex={1} class="grid-row">
            {columns.map((column) => (
              <div
                key={column.key}
                role="columnheader"
                class={`cell-${column.key}${column.isNumber === true ? ' number' : ''}`}
                aria-sort={sortOf(column.key, order)}
              >
                <ColumnTitle column={column} order={order} />
              </div>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          ref={frame}
          class="grid-body"
          style={{ height: `${virtualizer.getTotalSize()}px` }}
        >
          {items.map(({ index, key, start }) => {
            const row = store.row(index);
            return (
              <GridRow
                key={key}
                row={row}
                columns={columns}
                index={index}
                top={start - margin}
                isChanged={row !== null && store.changed.has(props.keyOf(row))}
                isChosen={row !== null && props.isChosen?.(row) === true}
                measure={virtualizer.measureElement}
              />
            );
          })}
        </div>
      </div>
      {store.problem === null ? null : (
        <ErrorState problem={store.problem} tried={props.tried} onRetry={() => store.restart()} />
      )}
    </div>
  );
}

/** Says that the order is no longer the newest, and applies it. */
export function OrderNotice<Row>({ store }: { readonly store: PageMemory<Row> }) {
  const text = orderChangeText(store.waiting);
  return (
    <div class="order-notice" role="status">
      {text === null ? null : (
        <Button
          kind="primary"
          onClick={() => {
            store.restart();
            window.scrollTo(0, 0);
          }}
        >
          {text}: show the newest order
        </Button>
      )}
    </div>
  );
}
