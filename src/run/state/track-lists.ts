import type { Clock } from '../../core/lib/surroundings.ts';
import type { ClientEvent } from '../../service/client/client-event.ts';
import { type Action, api } from '../../service/contract/api.ts';
import type { ListTime } from './interface/state.ts';

/** The assumed interval of a list that the service has refused once, if it was never measured, in milliseconds. */
const usualMs = 60_000;
/** A longer gap between two reads proves nothing about the limit. */
const longestMs = 5 * 60_000;

/** Tracks when lists are read, for everyone who shares a state. */
export interface ListTracker {
  /** Before this time (milliseconds since the epoch) the service would refuse the call; undefined if nothing is known. */
  notBefore(action: Action): number | undefined;
  hear(event: ClientEvent): void;
  /** The lists that this process read and that the service limits. Others are not stored. */
  learned(): readonly ListTime[];
}

interface Known {
  readonly readAt: number;
  readonly everyMs: number | null;
  /** Has the service refused it since? */
  readonly isRefused: boolean;
}

const unknown: Known = { readAt: Number.NEGATIVE_INFINITY, everyMs: null, isRefused: false };

export function trackLists(shared: readonly ListTime[], clock: Clock): ListTracker {
  const start = clock.now();
  const lists = new Map<string, Known>(
    shared.map(({ action, ageMs, everyMs }) => [
      action,
      { readAt: start - ageMs, everyMs, isRefused: false },
    ]),
  );
  /** The lists that this process read. */
  const own = new Set<string>();
  return {
    notBefore(action) {
      const { readAt, everyMs } = lists.get(action) ?? unknown;
      // A saved state can come with a checkout: no number in it may delay a command for long.
      return everyMs === null ? undefined : readAt + Math.min(everyMs, longestMs);
    },
    hear(event) {
      if (event.type !== 'call' || !isLimitedList(event.action)) return;
      const { action, status } = event;
      const known = lists.get(action) ?? unknown;
      if (status === 429) lists.set(action, { ...known, isRefused: true });
      if (status !== 200) return;
      const now = clock.now();
      const everyMs = known.isRefused ? measured(now - known.readAt) : known.everyMs;
      lists.set(action, { readAt: now, everyMs, isRefused: false });
      own.add(action);
    },
    learned() {
      const now = clock.now();
      return [...lists].flatMap(([action, { readAt, everyMs }]) =>
        own.has(action) && everyMs !== null ? [{ action, ageMs: now - readAt, everyMs }] : [],
      );
    },
  };
}

function measured(gapMs: number): number {
  return gapMs <= longestMs ? gapMs : usualMs;
}

function isLimitedList(action: Action): boolean {
  return api[action].method === 'GET' && api[action].rateLimited;
}
