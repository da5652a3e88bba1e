import type { Clock } from '../../core/lib/surroundings.ts';
import { type AntivirusFact, type HostId, mayBeUnreadable } from '../../core/model/observed.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { Client } from '../../service/client/client.ts';
import { readAntivirus } from '../../service/wire/read-antivirus.ts';

export interface AwaitOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The maximum wait in milliseconds. */
  readonly waitMs: number;
  readonly stop: AbortSignal;
}

export interface Reported {
  /** Hosts whose status in the list has changed. */
  readonly changed: ReadonlySet<HostId>;
  /** Why the wait ended early; a warning. */
  readonly problems: readonly Problem[];
}

const firstPauseMs = 5000;
const longestPauseMs = 60_000;

/** Reads the anti-virus list repeatedly until the status of each host has changed, or the time is over. */
export async function awaitReports(
  before: ReadonlyMap<HostId, AntivirusFact | undefined>,
  { client, clock, waitMs, stop }: AwaitOptions,
): Promise<Reported> {
  const end = clock.now() + waitMs;
  const changed = new Set<HostId>();
  for (
    let pauseMs = firstPauseMs;
    changed.size < before.size;
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  ) {
    const leftMs = end - clock.now();
    if (leftMs <= 0) break;
    await clock.sleep(Math.min(pauseMs, leftMs), stop);
    if (stop.aborted) break;
    const list = await readAntivirus(client, { clock, stop, maxWaitMs: Math.max(0, end - clock.now()) });
    if (!list.ok) return { changed, problems: stop.aborted ? [] : list.problems.map(asWarning) };
    for (const [id, fact] of before) {
      const now = list.value.facts.get(id);
      if (now === undefined && mayBeUnreadable(list.value, id)) continue;
      if (!isSame(fact, now)) changed.add(id);
    }
  }
  return { changed, problems: [] };
}

/** All facts are made by the same code, so their members are in the same order. */
function isSame(a: AntivirusFact | undefined, b: AntivirusFact | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function asWarning(problem: Problem): Problem {
  return { ...problem, severity: 'warning' };
}
