import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ServerEvent } from '../../api/overview.ts';
import { type ApiProblem, type Query, read, recentValue, send } from './api.ts';
import { useEvents } from './live.ts';

/** A resource as the page has it. After a failed read, `value` keeps what was last read. */
export interface PageResource<Value> {
  readonly value: Value | null;
  readonly problem: ApiProblem | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

export interface ResourceOptions {
  readonly query?: Query;
  /** What to read, if it does not fit into an address. */
  readonly body?: unknown;
  /** Events after which the resource is read again, with `quiet` milliseconds between two reads: 1,000 by default. */
  readonly when?: (event: ServerEvent) => boolean;
  readonly quiet?: number;
}

/** How soon after an event the resource is read, so that events that arrive together cause one read. */
const gathering = 50;

/** Reads a resource, and again when an event says that it changed. A path of null reads nothing. */
export function useResource<Value>(
  path: string | null,
  { query = {}, body, when, quiet = 1_000 }: ResourceOptions = {},
): PageResource<Value> {
  const key = path === null ? null : `${path} ${JSON.stringify([query, body])}`;
  const [state, setState] = useState<State<Value>>(() => initial<Value>(key, path, query));
  const latest = useRef({ path, query, body, key });
  latest.current = { path, query, body, key };
  const reading = useRef<AbortController | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const readAt = useRef(Number.NEGATIVE_INFINITY);

  const reload = useCallback(() => {
    const wanted = latest.current;
    if (wanted.path === null) return;
    readAt.current = performance.now();
    clearTimeout(timer.current);
    timer.current = undefined;
    reading.current?.abort();
    const controller = new AbortController();
    reading.current = controller;
    setState((sofar) => ({ ...ofKey(sofar, wanted), isLoading: true }));
    const answers =
      wanted.body === undefined
        ? read<Value>(wanted.path, wanted.query, controller.signal)
        : send<Value>('POST', wanted.path, wanted.body, null);
    void answers.then((answer) => {
      if (controller.signal.aborted || latest.current.key !== wanted.key) return;
      reading.current = null;
      setState((sofar) => ({
        key: wanted.key,
        value: answer.ok ? answer.value : ofKey(sofar, wanted).value,
        problem: answer.ok ? null : answer.problem,
        isLoading: false,
      }));
      if (!answer.ok && isPassing(answer.problem))
        timer.current ??= setTimeout(reload, waitAfter(answer.problem) * 1_000);
    });
  }, []);

  useEffect(() => {
    reload();
    return () => {
      reading.current?.abort();
      reading.current = null;
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [key, reload]);

  useEvents((event) => {
    if (event !== 'resync' && when?.(event) !== true) return;
    timer.current ??= setTimeout(again, Math.max(gathering, readAt.current + quiet - performance.now()));
  });
  // Events may follow each other faster than the server responds, so none aborts a read.
  const again = () => {
    if (reading.current === null) reload();
    else timer.current = setTimeout(again, gathering);
  };

  const shown = ofKey(state, { key, path, query });
  return { value: shown.value, problem: shown.problem, isLoading: shown.isLoading, reload };
}

/** Does the problem pass without the reader's doing? */
function isPassing({ status }: ApiProblem): boolean {
  return status === 429 || status === 503;
}

function waitAfter({ retryAfter = 10 }: ApiProblem): number {
  return Math.min(retryAfter, 60);
}

interface State<Value> extends Omit<PageResource<Value>, 'reload'> {
  readonly key: string | null;
}

interface Wanted {
  readonly key: string | null;
  readonly path: string | null;
  readonly query: Query;
}

function initial<Value>(key: string | null, path: string | null, query: Query): State<Value> {
  const value = path === null ? null : recentValue<Value>(path, query);
  return { key, value, problem: null, isLoading: path !== null };
}

/** The state, unless it belongs to another resource. */
function ofKey<Value>(state: State<Value>, { key, path, query }: Wanted): State<Value> {
  return state.key === key ? state : initial<Value>(key, path, query);
}
