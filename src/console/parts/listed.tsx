import type { ComponentChildren } from 'preact';
import type { PageMemory } from '../data/page-store.ts';
import { Button } from './button.tsx';
import { ErrorState, Skeleton } from './states.tsx';

interface ListedProps<Row> {
  readonly of: PageMemory<Row>;
  /** What the page tried, such as `Reading the plans`. */
  readonly tried: string;
  /** Shown if there are no rows. */
  readonly empty: ComponentChildren;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
  readonly lines?: number;
}

/** A list whose rows are all on the page, or what replaces it: a skeleton, an error, or that there is nothing. */
export function Listed<Row>({ of: store, tried, empty, children, lines = 6 }: ListedProps<Row>) {
  const isMissing = !store.isRead && store.problem === null;
  return (
    <>
      {isMissing ? <Skeleton lines={lines} /> : null}
      <ErrorState problem={store.problem} tried={tried} onRetry={() => store.restart()} />
      {store.isRead && store.length === 0 ? empty : null}
      {store.length === 0 ? null : children(store.rows)}
      <ShowMore of={store} />
    </>
  );
}

/** Reads the next rows of a list whose rows are all on the page, so all of them stay in view for the store. */
function ShowMore<Row>({ of: store }: { readonly of: PageMemory<Row> }) {
  if (!store.hasMore || !store.isRead) return null;
  return (
    <p class="more">
      <Button isBusy={store.isLoading} onClick={() => store.need(0, store.length)}>
        Show more
      </Button>
    </p>
  );
}
