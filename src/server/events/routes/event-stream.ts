import type { Visible } from '../../../api/access/grants.ts';
import type { ServerEvent } from '../../../api/overview.ts';
import type { EventHub } from '../../http/event-hub.ts';
import type { Store } from '../../store/open-store.ts';
import { type EventRecord, ofServer } from '../records/events.ts';

export interface EventStreamOptions {
  readonly store: Pick<Store, 'events'>;
  readonly hub: EventHub;
  readonly visible: Visible;
  /** The id of the last event that the reader has seen; undefined: it begins now. */
  readonly after: string | undefined;
  /** Ends the stream: the server stops, or the client has disconnected. */
  readonly signal: AbortSignal;
  /** Called at each heartbeat; false ends the stream: the session has ended, or its grants have changed. */
  readonly isAlive: () => Promise<boolean>;
  /** Called once, when the stream has ended. */
  readonly onEnd: () => void;
  readonly heartbeatMs: number;
}

/**
 * Events that wait for a slow reader. A reader that falls further behind is disconnected, and resumes at its last
 * event.
 */
const mostWaiting = 5_000;
/** Events that a reader who comes back gets at most; beyond that, reading everything again is cheaper. */
const mostCaughtUp = 20_000;
const pageSize = 500;
/** Events were lost, or are too many: the reader reads everything on its page again. */
const reset = 'event: reset\ndata: {}\n\n';
/** How soon a browser connects again, in milliseconds. */
const retryMs = 2_000;

/** A stream of server-sent events. Each event comes once, in order, with the id from which a reader resumes. */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { store, hub, visible, after, signal, isAlive, onEnd, heartbeatMs } = options;
  const shown = shownTo(visible);
  const encoder = new TextEncoder();
  let isCancelled = false;
  let end = () => {};

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        /** Events that arrive while the reader catches up; undefined once it has. */
        let arrived: EventRecord[] | undefined = [];
        const caughtUp = new Set<string>();
        let isOpen = true;
        const write = (text: string) => {
          if (!isOpen) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < 0) end();
        };
        const unsubscribe = hub.subscribe((events) => {
          if (arrived === undefined) write(frames(shown(events)));
          else if (arrived.length < mostWaiting) arrived.push(...events);
          else end();
        });
        const heartbeat = setInterval(() => {
          write(': heartbeat\n\n');
          isAlive().then(
            (alive) => {
              if (!alive) end();
            },
            () => end(),
          );
        }, heartbeatMs);
        end = () => {
          if (!isOpen) return;
          isOpen = false;
          clearInterval(heartbeat);
          unsubscribe();
          signal.removeEventListener('abort', end);
          // A reader that went away has closed it already.
          if (!isCancelled) controller.close();
          onEnd();
        };
        if (signal.aborted) return end();
        signal.addEventListener('abort', end);

        const catchUp = async () => {
          write(`retry: ${retryMs}\n\n`);
          let position = after;
          if (position === undefined) {
            position = await store.events.latest();
            caughtUp.add(position);
          } else if (!(await store.events.canResume(position))) {
            position = await store.events.latest();
            caughtUp.add(position);
            write(reset);
          } else {
            let isBehind = true;
            while (isBehind && isOpen && caughtUp.size <= mostCaughtUp) {
              const page = await store.events.after(position, visible, pageSize);
              for (const { id } of page) caughtUp.add(id);
              write(frames(shown(page)));
              position = page.at(-1)?.id ?? position;
              isBehind = page.length === pageSize;
            }
            if (caughtUp.size > mostCaughtUp) {
              position = await store.events.latest();
              write(reset);
            }
          }
          // The reader knows a position from the start, so that it loses nothing if it is cut off before the first event.
          write(`id: ${position}\nevent: ready\ndata: {}\n\n`);
          const waiting = arrived ?? [];
          arrived = undefined;
          write(frames(shown(waiting.filter(({ id }) => !caughtUp.has(id)))));
          caughtUp.clear();
        };
        catchUp().catch(() => end());
      },
      cancel: () => {
        isCancelled = true;
        end();
      },
    },
    // In bytes; about the events that may wait.
    { highWaterMark: 1_048_576, size: (piece) => piece?.byteLength ?? 0 },
  );
}

/**
 * The events that a reader may see. A rollout or a pause of several accounts belongs to no account, so a reader who
 * does not see all accounts gets only the fact that one changed, and reads those that they may see again.
 */
function shownTo(visible: Visible): (events: readonly EventRecord[]) => readonly EventRecord[] {
  if (visible === 'all') return (events) => events;
  const names = new Set(visible);
  return (events) =>
    events.flatMap((event) => {
      if (event.account !== null) return names.has(event.account) ? [event] : [];
      return ofServer.includes(event.type) ? [] : [anonymous(event)];
    });
}

const withoutIds = new WeakMap<EventRecord, EventRecord>();

function anonymous(event: EventRecord): EventRecord {
  const made = withoutIds.get(event) ?? { ...event, resource: null, data: {} };
  withoutIds.set(event, made);
  return made;
}

const written = new WeakMap<EventRecord, string>();

/** Each event is converted to text once, however many readers there are. */
function frames(events: readonly EventRecord[]): string {
  return events.map(frameOf).join('');
}

function frameOf(event: EventRecord): string {
  const kept = written.get(event);
  if (kept !== undefined) return kept;
  const { id, at, type, account, resource, data } = event;
  const body: ServerEvent = { id, at: at.toISOString(), type, account, resource, data };
  // JSON has no line breaks, so nothing in an event can begin another one.
  const frame = `id: ${id}\ndata: ${JSON.stringify(body)}\n\n`;
  written.set(event, frame);
  return frame;
}
