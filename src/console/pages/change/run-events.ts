import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { RunEventRow } from '../../../api/runs.ts';
import { type ApiAnswer, type ApiProblem, pathOf, read } from '../../data/api.ts';
import { useEvents } from '../../data/live.ts';
import type { PageBody } from '../../data/page-store.ts';
import { type EventLog, emptyLog, mostKept, withEvents } from './event-log.ts';

export interface RunEvents {
  readonly log: EventLog;
  readonly problem: ApiProblem | null;
  readonly isRead: boolean;
  /** The server may have events before the first one here. */
  readonly hasEarlier: boolean;
  readonly readEarlier: () => void;
  readonly reload: () => void;
}

const limit = 500;
const quiet = 400;

/** The events of a run: the newest first, then each as it happens, and earlier ones on request. */
export function useRunEvents(id: string): RunEvents {
  const [state, setState] = useState<Omit<RunEvents, 'readEarlier' | 'reload'>>({
    log: emptyLog,
    problem: null,
    isRead: false,
    hasEarlier: false,
  });
  const latest = useRef(state);
  latest.current = state;
  const reading = useRef<Promise<void> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const gone = useRef<AbortController | null>(null);

  const load = useCallback(
    (query: { after?: number; before?: number }) => {
      reading.current ??= (async () => {
        let wanted: typeof query | null = query;
        while (wanted !== null) {
          const answer: ApiAnswer<PageBody<RunEventRow>> = await read(
            pathOf`/runs/${id}/events`,
            { ...wanted, limit },
            gone.current?.signal,
          );
          if (gone.current?.signal.aborted !== false) return;
          if (!answer.ok) {
            setState((sofar) => ({ ...sofar, problem: answer.problem }));
            return;
          }
          const { items }: PageBody<RunEventRow> = answer.value;
          const isFull: boolean = items.length >= limit;
          const isForward: boolean = wanted.after !== undefined;
          const next = withEvents(latest.current.log, items);
          latest.current = {
            log: next,
            problem: null,
            isRead: true,
            hasEarlier: isForward ? latest.current.hasEarlier : isFull && next.events.length < mostKept,
          };
          setState(latest.current);
          const last: RunEventRow | undefined = items.at(-1);
          wanted = isForward && isFull && last !== undefined ? { after: last.seq } : null;
        }
      })().finally(() => {
        reading.current = null;
      });
    },
    [id],
  );

  const reload = useCallback(() => {
    const last = latest.current.log.events.at(-1);
    load(last === undefined ? {} : { after: last.seq });
  }, [load]);

  useEffect(() => {
    gone.current = new AbortController();
    reload();
    return () => {
      gone.current?.abort();
      clearTimeout(timer.current);
    };
  }, [reload]);

  useEvents((event) => {
    if (event !== 'resync' && event.resource !== id) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      reload();
    }, quiet);
  });

  const readEarlier = useCallback(() => {
    const first = latest.current.log.events[0];
    if (first !== undefined) load({ before: first.seq });
  }, [load]);

  return { ...state, readEarlier, reload };
}
