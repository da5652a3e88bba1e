import {
  observeWindowOffset,
  observeWindowRect,
  type Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core';
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ColumnTitle, type Order, sortOf, type TableColumn } from '../../output/components/table.tsx';
import type { PageMemory } from '../data/page-store.ts';
import { orderChangeText } from '../words/order-change.ts';
import { Button } from './button.tsx';
import { ErrorState, Skeleton } from './states.tsx';
import { useVirtualizer } from './virtualizer.ts';

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly store: PageMemory<Row>;
  readonly keyOf: (row: Row) => string;
  /** Shown if there are no rows. */
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
        tabIndex={-1}
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
      <ErrorState problem={store.problem} tried={props.tried} onRetry={() => store.restart()} />
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
          {text}: update the list
        </Button>
      )}
    </div>
  );
}

interface GridRowProps<Row> {
  /** Null: not read yet, or dropped from memory. */
  readonly row: Row | null;
  readonly columns: readonly TableColumn<Row>[];
  readonly index: number;
  /** Pixels from the start of the list. */
  readonly top: number;
  readonly isChanged: boolean;
  readonly isChosen: boolean;
  readonly measure: (element: HTMLDivElement | null) => void;
}

/** One row of a table of any length. It is drawn again only if something of its own changed, so scrolling stays cheap. */
class GridRow<Row> extends Component<GridRowProps<Row>> {
  override shouldComponentUpdate(next: GridRowProps<Row>): boolean {
    const { props } = this;
    return (Object.keys(next) as (keyof GridRowProps<Row>)[]).some((name) => next[name] !== props[name]);
  }

  override render({ row, columns, index, top, isChanged, isChosen, measure }: GridRowProps<Row>) {
    const classes = ['grid-row', isChanged && 'changed', isChosen && 'chosen'].filter(Boolean);
    return (
      <div
        role="row"
        data-row
        data-index={index}
        aria-rowindex={index + 2}
        class={classes.join(' ')}
        ref={measure}
        style={{ transform: `translateY(${top}px)` }}
      >
        {columns.map((column) => (
          <div
            key={column.key}
            role={column.isHead === true ? 'rowheader' : 'cell'}
            data-label={column.title}
            class={`cell-${column.key}${column.isNumber === true ? ' number' : ''}`}
          >
            {row === null ? <span class="skeleton-line" /> : column.cell(row)}
          </div>
        ))}
      </div>
    );
  }
}

interface VirtualRows {
  readonly virtualizer: Virtualizer<Window, HTMLElement>;
  /** The element that is as high as all rows. */
  readonly frame: { readonly current: HTMLDivElement | null };
}

/** The rows that are in view while the whole page scrolls. */
function useVirtualRows(count: number, height: number): VirtualRows {
  const frame = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  // A new function would make the virtualizer compute all rows again at every scroll.
  const [estimateSize] = useState(() => () => height);
  const virtualizer = useVirtualizer<Window>({
    count,
    getScrollElement: () => window,
    estimateSize,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    scrollMargin: margin,
    overscan: 8,
    initialOffset: () => window.scrollY,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  const isShown = count > 0;
  useLayoutEffect(() => {
    if (!isShown) return;
    // What is above the list may change its height at any time, for example a banner.
    const look = () => {
      const top = (frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
      setMargin((before) => (Math.abs(top - before) > 1 ? top : before));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isShown]);
  return { virtualizer, frame };
}
