import type { Clock } from '../../core/lib/surroundings.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import { limitWords } from '../service/limit-words.ts';
import type { StatusLine } from './status-line.ts';

/** Shows the current activity on one line of a terminal; nothing if there is none. */
export interface LiveStatus {
  /** False: the line is not shown, so important facts are printed on lines of their own. */
  readonly isLive: boolean;
  /** Shown until the returned function is called. The words are computed for each drawing. */
  show(words: () => string, place?: Place): () => void;
  /** Shown while the work is in progress. */
  during<T>(words: string, work: () => Promise<T>): Promise<T>;
  /** The service limits an action. Its next call is sent in this many milliseconds. */
  waiting(action: string, ms: number): void;
  /** A call of this action went out. */
  went(action: string): void;
  /** Something has changed. */
  redraw(): void;
  /** Removes the line. */
  end(): void;
}

/** Waits are shown between `first` and `last`; `last` is cut off before them. */
type Place = 'first' | 'last';

const redrawMs = 100;
const tickMs = 1000;
/** Shorter waits are not shown. */
const longWaitMs = 2000;
const gap = ' · ';

export function createLiveStatus(status: StatusLine | undefined, clock: Clock): LiveStatus {
  const shown: Record<Place, Set<() => string>> = { first: new Set(), last: new Set() };
  const waits = new Map<string, number>();
  const over = new AbortController();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let ticking = false;

  function waitWords(): string {
    const now = clock.now();
    const [longest] = [...waits].filter(([, until]) => until > now).toSorted(([, a], [, b]) => b - a);
    return longest === undefined
      ? ''
      : `waiting ${durationWords(longest[1] - now)} for the ${limitWords(longest[0])}`;
  }

  function draw(): void {
    if (over.signal.aborted) return;
    drawnAt = clock.now();
    const asked = (place: Place) => [...shown[place]].map((words) => words());
    status?.show([...asked('first'), waitWords(), ...asked('last')].filter((part) => part !== '').join(gap));
  }

  function redraw(): void {
    if (clock.now() - drawnAt >= redrawMs) draw();
  }

  /** Counts the seconds down while there is a wait. */
  async function tick(): Promise<void> {
    if (ticking || status === undefined) return;
    ticking = true;
    for (;;) {
      const left = Math.max(0, ...waits.values()) - clock.now();
      if (left <= 0 || over.signal.aborted) break;
      await clock.sleep(Math.min(tickMs, left), over.signal);
      draw();
    }
    ticking = false;
  }

  return {
    isLive: status !== undefined,
    show(words, place = 'first') {
      shown[place].add(words);
      draw();
      return () => {
        shown[place].delete(words);
        draw();
      };
    },
    async during(words, work) {
      const hide = this.show(() => words);
      try {
        return await work();
      } finally {
        hide();
      }
    },
    waiting(action, ms) {
      if (ms < longWaitMs) return;
      waits.set(action, clock.now() + ms);
      draw();
      void tick();
    },
    went(action) {
      if (waits.delete(action)) redraw();
    },
    redraw,
    end() {
      status?.show('');
      over.abort();
    },
  };
}
