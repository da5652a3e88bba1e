import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { ServerEvent } from '../../api/overview.ts';
import { type Query, read } from './api.ts';
import { useEvents } from './live.ts';
import { type PageBody, PageMemory } from './page-store.ts';

const quiet = 2_000;

interface PagesOptions<Row> {
  readonly query?: Query;
  readonly keyOf: (row: Row) => string;
  /** Events after which the rows in view are read again. */
  readonly when?: (event: ServerEvent) => boolean;
  readonly limit?: number;
}

/** A list that the server pages. Null reads nothing. */
export function usePages<Row>(path: string | null, options: PagesOptions<Row>): PageMemory<Row> {
  const [, update] = useReducer<number, void>((count) => count + 1, 0);
  const latest = useRef(options);
  latest.current = options;
  const key = `${path} ${JSON.stringify(options.query ?? {})}`;
  const store = useMemo(() => {
    const { query = {}, keyOf, limit = 100 } = latest.current;
    return new PageMemory<Row>({
      keyOf,
      onChange: () => update(),
      readPage: (cursor, signal) => read<PageBody<Row>>(path ?? '', { ...query, limit, cursor }, signal),
    });
  }, [key]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (path !== null) store.restart();
    return () => {
      store.stop();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [store]);
  useEvents((event) => {
    if (path === null || (event !== 'resync' && latest.current.when?.(event) !== true)) return;
    timer.current ??= setTimeout(refresh, quiet);
  });
  // Events may follow each other faster than the server responds: an aborted read would never end.
  const refresh = () => {
    timer.current = store.isLoading ? setTimeout(refresh, quiet) : undefined;
    if (!store.isLoading) store.refresh();
  };
  return store;
}
