import { Component } from 'preact';
import type { TableColumn } from '../../output/components/table.tsx';

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
export class GridRow<Row> extends Component<GridRowProps<Row>> {
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
