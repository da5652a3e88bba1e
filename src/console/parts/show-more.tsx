import type { PageMemory } from '../data/page-store.ts';
import { Button } from './button.tsx';

/** Reads the next rows of a list whose rows are all on the page, so all of them stay in view for the store. */
export function ShowMore<Row>({ of: store }: { readonly of: PageMemory<Row> }) {
  if (!store.hasMore || !store.isRead) return null;
  return (
    <p class="more">
      <Button isBusy={store.isLoading} onClick={() => store.need(0, store.length)}>
        Show more
      </Button>
    </p>
  );
}
