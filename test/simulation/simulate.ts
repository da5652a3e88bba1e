import { type Cluster, createCluster } from './cluster/cluster.ts';
import { type Breach, type Counts, createJudge } from './laws/judge.ts';
import { perform } from './script/perform.ts';
import type { Script } from './script/script.ts';
import { createRandom } from './time/random.ts';
import { installVirtualTimers } from './time/virtual-timers.ts';

/** What one history showed. */
export interface Outcome extends Counts {
  readonly breach: Breach | undefined;
  /** Simulated time, in milliseconds. */
  readonly ms: number;
}

const cadencesAfterFaults = 3;
/** A machine that is frozen at the end of the acts, or a run that waits for its lease, gets this much more, in milliseconds. */
const restMs = 5 * 60_000;

/** Plays a script from its beginning to its end, or to the first breach of a law. */
export async function simulate(script: Script): Promise<Outcome> {
  const timers = installVirtualTimers();
  // The client draws the jitter between its retries.
  const realRandom = Math.random;
  Math.random = createRandom(script.seed + 0xd1ce).next;
  let cluster: Cluster | undefined;
  const clusterOf = () => cluster as Cluster;
  const judge = createJudge(clusterOf);
  try {
    cluster = createCluster(script, {
      timers,
      wire: judge.wire,
      onMessage: judge.receives,
      onChange: () => {
        if (cluster !== undefined) judge.look();
      },
      onDefect: (error) => judge.defect(error),
    });
    const { world } = cluster;
    let at = 0;
    const advanceTo = async (until: number) => {
      await world.advance(until - at);
      at = until;
    };
    for (const { at: next, act } of script.acts) {
      await advanceTo(next);
      if (judge.breach !== undefined) break;
      perform(act, cluster, judge.people);
    }
    if (judge.breach === undefined) await advanceTo(Math.max(at, script.endsAt));
    if (judge.breach === undefined) {
      cluster.calm();
      await advanceTo(at + cadencesAfterFaults * script.cadenceMs + restMs);
    }
    if (judge.breach === undefined) judge.lookAtEnd();
    return { breach: judge.breach, ms: at, ...judge.counts };
  } finally {
    cluster?.stop();
    timers.restore();
    Math.random = realRandom;
  }
}
