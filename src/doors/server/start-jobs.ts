import { pruneJob } from '../../control/jobs/prune.ts';
import { tick, tickMs } from '../../control/jobs/tick.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import type { ServerParts } from './open-parts.ts';

export interface StartedJobs {
  /** Stops sending ticks; the queue stops by itself. */
  stop(): void;
}

/** How many checks one process works at the same time, and how many runs. */
const checksAtOnce = 32;

/** Works the jobs of the queue. */
export async function startWorker(parts: ServerParts, metrics: ServerMetrics): Promise<void> {
  const { queue, store, settings, isEmbedded, log } = parts;
  void metrics;
  void checksAtOnce;
  await queue.work('prune', 1, async () => {
    const pruned = await pruneJob({ store, settings, isEmbedded });
    log('info', 'pruned old records', { part: 'prune', ...pruned });
  });
}

/** Adds what is due, every few seconds. Several schedulers share the work: one of them works each tick. */
export async function startScheduler(parts: ServerParts): Promise<StartedJobs> {
  const { queue, log } = parts;
  await queue.work('tick', 1, async () => {
    const { down } = await tick(parts);
    for (const service of down)
      log('warn', `the service ${service} is down; one account is tried at a time`, { part: 'scheduler' });
  });
  const send = () =>
    queue.send('tick', [{ key: 'all' }], { oncePerMs: tickMs }).catch(() => {
      // The queue reports a database that is away.
    });
  await send();
  const timer = setInterval(() => void send(), tickMs);
  return { stop: () => clearInterval(timer) };
}
