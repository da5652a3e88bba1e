import type { ActionPace } from '../../../accounts/engine/connection.ts';
import type { ClientRunEvent } from '../../../accounts/engine/engine-parts.ts';
import type { RunDetail } from '../../../api/runs.ts';
import type { WriteAction } from '../../../core/model/write-action.ts';
import type { StepWait } from './step-waits.ts';

/** How fast the calls of a run go, what bounds them, and which of them wait to be repeated. */
export interface RunPace {
  hear(event: ClientRunEvent): void;
  watch(paces: () => readonly ActionPace[]): void;
  of(action: WriteAction): ActionPace | undefined;
  report(): PaceReport;
  /** Calls that wait outside of the queues of steps: failed ones that are repeated, and reads. */
  waits(): readonly StepWait[];
  /** At the pace of now; null if it is not known. */
  secondsFor(calls: number): number | null;
  /** How often the service refused a call because of a limit. */
  refused(): number;
  /** Whether the report changes, though nothing happens. */
  isChanging(): boolean;
}

type PaceReport = NonNullable<RunDetail['pace']>;

/** The time that calls per second are measured over, in milliseconds. */
const rateMs = 10_000;
const shortestRateMs = 1_000;
const firstBucketMs = 1_000;
const mostBuckets = 120;

const titles: Readonly<Record<string, string>> = {
  renameHost: 'A rename',
  moveHosts: 'A move',
  deleteHosts: 'A deletion',
  installAntivirus: 'An anti-virus install',
  refreshAntivirusStatus: 'A status refresh',
  listHosts: 'The list of hosts',
  listHostsWithGroups: 'The list of hosts',
};

export function createRunPace(now: () => number): RunPace {
  let paces: () => readonly ActionPace[] = () => [];
  let refused = 0;
  let began: number | undefined;
  /** Times of calls that change the fleet, of the last `rateMs`. */
  let recent: number[] = [];
  let bucketMs = firstBucketMs;
  let buckets: number[] = [];
  const pauses = new Map<string, { readonly wait: Omit<StepWait, 'until'>; readonly until: number }>();

  /** The bucket of this time. Once there are too many, each two become one. */
  const bucketAt = (time: number): number => {
    const elapsed = time - (began ?? time);
    while (elapsed / bucketMs >= mostBuckets) {
      const [pairs, finer] = [Math.ceil(buckets.length / 2), buckets];
      buckets = Array.from({ length: pairs }, (_, at) => (finer[2 * at] ?? 0) + (finer[2 * at + 1] ?? 0));
      bucketMs *= 2;
    }
    return Math.floor(elapsed / bucketMs);
  };
  const count = (time: number) => {
    began ??= time;
    recent.push(time);
    const index = bucketAt(time);
    buckets[index] = (buckets[index] ?? 0) + 1;
  };
  const rate = () => {
    const time = now();
    recent = recent.filter((at) => at > time - rateMs);
    const measuredMs = Math.min(rateMs, Math.max(shortestRateMs, time - (began ?? time)));
    return rounded((recent.length * 1_000) / measuredMs);
  };
  /** The action that delays most calls. */
  const busiest = () =>
    paces().reduce<ActionPace | undefined>(
      (most, each) => (each.waiting > (most?.waiting ?? 0) ? each : most),
      undefined,
    );
  const limit = () => busiest()?.limit ?? paces().findLast((each) => each.limit !== null)?.limit ?? null;

  return {
    hear(event) {
      switch (event.type) {
        case 'call':
          pauses.delete(event.action);
          if (event.status === 429) refused += 1;
          else if (event.method !== 'GET') count(now());
          return;
        case 'waiting':
        case 'retry': {
          // The state of the pace decides which calls of steps must wait.
          if (event.type === 'waiting' && paces().some(({ name }) => name === event.action)) return;
          const reason =
            event.type === 'retry'
              ? `the service, which failed (${event.code})`
              : 'the rate limit of the service';
          pauses.set(event.action, {
            wait: {
              step: '',
              title: titles[event.action] ?? `A call (${event.action})`,
              for: reason,
              why: 'back-off',
              steps: 1,
            },
            until: now() + event.ms,
          });
          return;
        }
      }
    },
    watch(given) {
      paces = given;
    },
    of: (action) => paces().find((each) => each.action === action),
    report() {
      const held = busiest();
      const most = limit();
      const complete = began === undefined ? 0 : bucketAt(now());
      return {
        rate: rate(),
        limit: most === null ? null : rounded(most),
        rate_limited: refused,
        ...(held === undefined ? {} : { bound: boundOf(held) }),
        curve: {
          bucket_seconds: bucketMs / 1_000,
          rate: Array.from({ length: complete }, (_, at) => rounded((buckets[at] ?? 0) / (bucketMs / 1_000))),
        },
      };
    },
    waits: () =>
      [...pauses.values()]
        .filter(({ until }) => until > now())
        .map(({ wait, until }) => ({ ...wait, until: new Date(until).toISOString() })),
    secondsFor(calls) {
      const perSecond = rate() || limit() || 0;
      return perSecond === 0 ? null : calls / perSecond;
    },
    refused: () => refused,
    isChanging: () => recent.length > 0 || pauses.size > 0,
  };
}

function boundOf({ action, bound, allowed }: ActionPace): NonNullable<PaceReport['bound']> {
  return {
    action,
    kind: bound.kind,
    allowed: rounded(allowed),
    ...(bound.kind === 'refusal' ? { until: new Date(bound.until).toISOString() } : {}),
  };
}

/** Small rates keep their digits: one call in a minute is not none. */
function rounded(rate: number): number {
  return rate >= 10 ? Math.round(rate * 10) / 10 : Number(rate.toPrecision(2));
}
