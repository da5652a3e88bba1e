import type { EventRecord } from '../events/records/events.ts';
import type { Store } from '../store/open-store.ts';

/** Events of the store for many readers: one query for each wake, for any number of readers. */
export interface EventHub {
  /** Delivers all later events until the returned function is called. */
  subscribe(deliver: (events: readonly EventRecord[]) => void): () => void;
  close(): Promise<void>;
}

const pageSize = 500;

export function createEventHub(store: Pick<Store, 'events'>, onFault: (fault: unknown) => void): EventHub {
  const readers = new Set<(events: readonly EventRecord[]) => void>();
  let stop: (() => Promise<void>) | undefined;
  let position: string | undefined;
  let reading = false;
  let isAgain = false;

  async function read(): Promise<void> {
    // Before the first read, nobody has been promised anything: readers catch up by themselves.
    position ??= await store.events.latest();
    for (;;) {
      const page = await store.events.after(position, 'all', pageSize);
      position = page.at(-1)?.id ?? position;
      if (page.length > 0) for (const deliver of readers) deliver(page);
      if (page.length < pageSize) return;
    }
  }

  function wake(): void {
    if (reading) {
      isAgain = true;
      return;
    }
    reading = true;
    isAgain = false;
    read()
      .catch(onFault)
      .finally(() => {
        reading = false;
        if (isAgain) wake();
      });
  }

  return {
    subscribe(deliver) {
      readers.add(deliver);
      stop ??= store.events.listen(wake);
      wake();
      return () => readers.delete(deliver);
    },
    async close() {
      readers.clear();
      await stop?.();
      stop = undefined;
    },
  };
}
