import type { Clock } from '../../src/core/lib/surroundings.ts';
import type { AcquireOptions, Pacer } from '../../src/service/client/pacer.ts';

/** A pacer without a rate: it only pauses for as long as a refusal requested, one second by default. */
export function steadyPacer(clock: Clock, onWait: (ms: number) => void = () => {}): Pacer & SteadyPacer {
  let closedUntil = 0;
  const returned: string[] = [];
  const acquired: AcquireOptions[] = [];
  return {
    rate: null,
    returned,
    acquired,
    async acquire(options = {}) {
      acquired.push(options);
      const waitMs = Math.max(0, closedUntil - clock.now());
      if (waitMs > (options.maxWaitMs ?? Number.POSITIVE_INFINITY)) return { kind: 'too-late', waitMs };
      if (waitMs > 0) {
        onWait(waitMs);
        await clock.sleep(waitMs, options.signal);
      }
      if (options.signal?.aborted) return { kind: 'aborted' };
      return {
        kind: 'go',
        permit: {
          accepted: () => void returned.push('accepted'),
          refused: (ms = 1_000) => {
            returned.push(`refused ${ms}`);
            closedUntil = clock.now() + ms;
          },
          dropped: () => void returned.push('dropped'),
        },
      };
    },
  };
}

interface SteadyPacer {
  /** What became of each permit, in order. */
  readonly returned: readonly string[];
  readonly acquired: readonly AcquireOptions[];
}
