import { setTimeout as pause } from 'node:timers/promises';
import type { Send } from './send.ts';

export interface EventOptions {
  readonly signal?: AbortSignal;
  /** Continues after this event; begins now if absent. */
  readonly lastEventId?: string;
  /** Called when events may have been lost, or after a pause: read what you show again. */
  readonly onReset?: () => void;
}

/** The time until the next attempt after the connection broke, in milliseconds. It doubles with each failure. */
const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** A longer line can't be an event of a Rampart server. */
const longestLine = 1_000_000;

/**
 * The events of the server. If the connection breaks, it is opened again, and continues after the last event. Ends when
 * the signal is aborted, or when the server refuses the token. The generated client calls it.
 *
 * @public
 */
export async function* readEvents<Event>(
  send: Pick<Send, 'open'>,
  path: string,
  { signal = new AbortController().signal, lastEventId, onReset }: EventOptions,
): AsyncGenerator<Event, void, undefined> {
  let last = lastEventId;
  let waitMs = firstWaitMs;
  while (!signal.aborted) {
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(last === undefined ? {} : { 'last-event-id': last }),
      };
      const response = await send.open({ method: 'GET', path }, headers, signal);
      if (response.status === 401 || response.status === 403) return;
      if (response.ok && response.body !== null) {
        for await (const { id, event, data } of framesOf(response.body)) {
          waitMs = firstWaitMs;
          last = id ?? last;
          if (event === 'reset') onReset?.();
          if (event === 'message' && data !== '') yield JSON.parse(data) as Event;
        }
      }
    } catch {
      // The connection broke or could not be made: try again below.
    }
    await pause(waitMs, undefined, { signal }).catch(() => {});
    waitMs = Math.min(longestWaitMs, waitMs * 2);
  }
}

interface Frame {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** The frames of a stream of server-sent events. */
async function* framesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let fields = new Map<string, string>();
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new Error('a line is too long');
    for (const line of lines) {
      if (line === '') {
        const data = fields.get('data');
        if (data !== undefined || fields.has('id'))
          yield { id: fields.get('id'), event: fields.get('event') ?? 'message', data: data ?? '' };
        fields = new Map();
        continue;
      }
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      const known = fields.get(name);
      fields.set(name, name === 'data' && known !== undefined ? `${known}\n${value}` : value);
    }
  }
}
