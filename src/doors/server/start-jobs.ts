import type { EngineEvent } from '../../control/engine/engine-parts.ts';
import { rolloutJob } from '../../control/jobs/advance-rollout.ts';
import { createDesiredStates } from '../../control/jobs/desired-states.ts';
import { fetchSourceJob } from '../../control/jobs/fetch-source.ts';
import { accountJobs } from '../../control/jobs/job-handlers.ts';
import type { JobParts } from '../../control/jobs/job-parts.ts';
import { notifyJob } from '../../control/jobs/notify.ts';
import { pruneJob } from '../../control/jobs/prune.ts';
import { requeueRuns } from '../../control/jobs/queue-run.ts';
import { tick, tickMs } from '../../control/jobs/tick.ts';
import { createNotifier } from '../../control/notify/notifier.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import type { ServerParts } from './open-parts.ts';

/** How many checks and runs one process works at the same time. */
const checksAtOnce = 32;
const runsAtOnce = 16;
const rolloutsAtOnce = 8;

/** What the jobs of this process share. */
export function jobPartsOf(
  parts: ServerParts,
  onEvent: (account: string, event: EngineEvent) => void,
): JobParts {
  const { settings, clock, env, store, sources, log } = parts;
  return {
    env,
    settings,
    store,
    state: parts.state,
    exchanges: parts.exchanges,
    clock,
    desired: createDesiredStates({
      settings,
      sources,
      store,
      env,
      onOutput: (text) => log('info', text, { part: 'script' }),
    }),
    queue: parts.queue,
    onEvent,
  };
}

/** Works the jobs of the queue. */
export async function startWorker(parts: ServerParts, jobs: JobParts, metrics: ServerMetrics): Promise<void> {
  const { queue, store, settings, isEmbedded, log } = parts;
  const { check, run } = accountJobs(jobs);
  const notifier = createNotifier({ store, settings, now: () => parts.clock.now() });
  await queue.work('check', checksAtOnce, async (job, signal) => {
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    try {
      await notifier.watching(job.key, async () => check(job, signal));
      metrics.checked('done', seconds());
    } catch (error) {
      metrics.checked('failed', seconds());
      throw error;
    }
  });
  await queue.work('run', runsAtOnce, async (job, signal) => {
    await notifier.watchingRun(job.key, async () => run(job, signal));
    await measureRun(job.key, parts, metrics);
  });
  await queue.work('fetch', 2, ({ key }, signal) => fetchSourceJob(key, { ...parts, notifier }, signal));
  await queue.work('rollout', rolloutsAtOnce, async ({ key, stopping }, signal) =>
    rolloutJob(key, { ...jobs, notifier }, AbortSignal.any([stopping, signal])),
  );
  await queue.work('notify', 4, async ({ key }, signal) => notifyJob(key, parts, signal));
  await queue.work('prune', 1, async () => {
    const pruned = await pruneJob({ store, settings, isEmbedded });
    log('info', 'pruned old records', { part: 'prune', ...pruned });
  });
}

/** Counts what a run that has ended changed, and how long its plan took until a read showed the desired state. */
async function measureRun(
  name: string,
  { store, settings }: ServerParts,
  metrics: ServerMetrics,
): Promise<void> {
  const runs = await store.runs.list({ visible: 'all', account: name, limit: 1 });
  const run = runs.ok ? runs.value.items[0] : undefined;
  if (run?.state !== 'done' || run.plan === null || run.endedAt === null) return;
  const plan = await store.plans.find(run.plan, 'all');
  if (plan === undefined) return;
  for (const [kind, hosts] of Object.entries(plan.counts)) if (hosts > 0) metrics.changed(kind, hosts);
  const { label } = settings.metrics;
  const account = settings.accounts.find((each) => each.name === name);
  const value = label === undefined ? '' : (account?.labels[label] ?? '');
  metrics.converged(value, (run.endedAt.getTime() - plan.createdAt.getTime()) / 1000);
}

/** Adds what is due, every few seconds. Several schedulers share the work: one of them works each tick. */
export async function startScheduler(parts: ServerParts): Promise<{ stop(): void }> {
  const { queue, log, store, settings, clock } = parts;
  const notifier = createNotifier({ store, settings, now: () => clock.now() });
  await queue.work('tick', 1, async () => {
    const { down } = await tick(parts);
    for (const service of down)
      log('warn', `the service ${service} is down; one account is tried at a time`, { part: 'scheduler' });
    await requeueRuns(parts);
    await notifier.expiring();
  });
  // The queue reports a database that is away.
  const send = () => queue.send('tick', [{ key: 'all' }], { oncePerMs: tickMs }).catch(() => {});
  await send();
  const timer = setInterval(() => void send(), tickMs);
  return { stop: () => clearInterval(timer) };
}
