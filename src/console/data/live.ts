import { computed, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ServerEvent } from '../../api/overview.ts';
import { parseJson } from '../../core/lib/parse-json.ts';
import { isReachable, read } from './api.ts';

export type ServerEventType = ServerEvent['type'];

const types: Readonly<Record<ServerEventType, true>> = {
  'account.changed': true,
  'plan.changed': true,
  'run.changed': true,
  'run.event': true,
  'rollout.changed': true,
  'source.changed': true,
  'notification.changed': true,
};

/** Whether events arrive. `lost` since when they don't. */
export type LiveConnection =
  | { readonly state: 'opening' | 'open' }
  | { readonly state: 'lost'; readonly since: number };
export const connection = signal<LiveConnection>({ state: 'opening' });

/** Neither events nor responses arrive. If a proxy blocks only events, people can still act. */
export const isAway = computed(() => connection.value.state === 'lost' && !isReachable.value);

type Listener = (event: ServerEvent | 'resync') => void;
const listeners = new Set<Listener>();
const firstWait = 1_000;
const longestWait = 30_000;

let source: EventSource | null = null;
let wait = firstWait;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Opens the stream of events. The browser resumes after the last event it saw. If the server ends the stream for good,
 * a new one is opened later, and readers read their resources again, because events in between are lost.
 */
export function openStream(): void {
  clearTimeout(timer);
  source?.close();
  const opened = new EventSource('/api/v1/events');
  source = opened;
  const wasLost = connection.value.state === 'lost';
  opened.addEventListener('open', () => {
    wait = firstWait;
    const isAgain = wasLost || connection.value.state === 'lost';
    connection.value = { state: 'open' };
    isReachable.value = true;
    if (isAgain) notify('resync');
  });
  opened.addEventListener('error', () => {
    if (source !== opened) return;
    if (connection.value.state !== 'lost') connection.value = { state: 'lost', since: Date.now() };
    // The stream says nothing about the reason, which may be an expired session.
    void read('/me');
    if (opened.readyState !== EventSource.CLOSED) return;
    timer = setTimeout(openStream, wait);
    wait = Math.min(longestWait, wait * 2);
  });
  const receive = ({ data }: MessageEvent<string>) => {
    const event = parsed(data);
    if (event !== null) notify(event);
  };
  for (const type of ['message', ...Object.keys(types)])
    opened.addEventListener(type, receive as EventListener);
}

/** Ends the stream, for example if the session has expired. */
export function closeStream(): void {
  clearTimeout(timer);
  source?.close();
  source = null;
}

/** Calls `react` at each event, and at `resync` if events may have been lost. */
export function useEvents(react: Listener): void {
  const latest = useRef(react);
  latest.current = react;
  useEffect(() => {
    const listener: Listener = (event) => latest.current(event);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}

function notify(event: ServerEvent | 'resync'): void {
  for (const listener of listeners) listener(event);
}

function parsed(text: string): ServerEvent | null {
  const event = parseJson(text) as ServerEvent | null | undefined;
  return event && event.type in types ? event : null;
}
