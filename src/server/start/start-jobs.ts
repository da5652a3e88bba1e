import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { EngineEvent } from '../../accounts/engine/engine-parts.ts';
import { endedRunStates } from '../../api/states.ts';
import { registerPagesIn } from '../../run/state/files/register-pages.ts';
import type { Hear, WorkEvent } from '../../run/telemetry/telemetry-event.ts';
import { registerReader } from '../../service/registers/register-reader.ts';
import { firstOf } from '../database/page.ts';
import type { ServerMetrics } from '../metrics/server-metrics.ts';
import { notifyJob } from '../notifications/rules/notify.ts';
import { reportExpiring } from '../notifications/rules/report-expiring.ts';
import { rehearsePlanJob } from '../plans/rules/rehearse-plan.ts';
import { type AccountJobs, accountJobs } from '../queue/rules/job-handlers.ts';
import type { JobParts } from '../queue/rules/job-parts.ts';
import { pruneJob } from '../queue/rules/prune.ts';
import { tick, tickMs } from '../queue/rules/tick.ts';
import { rolloutJob } from '../rollouts/rules/advance-rollout.ts';
import type { ServerRun } from '../runs/records/runs.ts';
import { requeueRuns } from '../runs/rules/queue-run.ts';
import { hostsChangedBy } from '../runs/rules/run-record.ts';
import { createDesiredStates } from '../sources/rules/desired-states.ts';
import { fetchSourceJob } from '../sources/rules/fetch-source.ts';
import { createSharedRegisters } from '../sources/rules/shared-registers.ts';
import type { ServerParts } from './open-parts.ts';
import { createWorkLog } from './work-log.ts';

/** How many checks and runs one process works at the same time. */
const checksAtOnce = 40;
const runsAtOnce = 16;
const rolloutsAtOnce = 8;

/** What the jobs of this process share. */
export function jobPartsOf(
  parts: ServerParts,
  onEvent: (account: string, event: EngineEvent) => void,
): JobParts {
  const { settings, clock, env, store, sources, log, hide } = parts;
  const others = new Set<string>();
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
      clock,
      registers: createSharedRegisters(
        settings,
        registerReader({
          env,
          folder: settings.folder,
          clock,
          hide,
          pages: registerPagesIn(join(settings.data, 'registers')),
        }),
        clock,
      ),
      onOutput: (text) => log('info', text, { part: 'script' }),
    }),
    queue: parts.queue,
    onEvent,
    // Once: each check of the account meets it again.
    onOtherTenant(account) {
      if (others.has(account)) return;
      others.add(account);
      log(
        'warn',
        `a newer configuration gave the account ${account} to another tenant, so this process does not check it; start it again with that configuration`,
        { part: 'check', account },
      );
    },
  };
}

/** What a worker reports its work to. */
export interface Reports {
  readonly metrics: ServerMetrics;
  /** The value of the configured label at an account. */
  readonly labelOf: (account: string) => string;
  readonly emit: Hear;
}

/** Processes the jobs of the queue. */
export async function startWorker(parts: ServerParts, jobs: JobParts, reports: Reports): Promise<void> {
  const { queue, store, settings, isEmbedded, log } = parts;
  const { metrics, labelOf } = reports;
  const workLog = createWorkLog(log);
  await queue.work('check', checksAtOnce, async (job, signal) => {
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    try {
      const written = await traced('check', job.key, jobs, reports, ({ check }) => check(job, signal));
      workLog.checked(job.key, written);
      metrics.checked(labelOf(job.key), 'done', seconds());
    } catch (error) {
      metrics.checked(labelOf(job.key), 'failed', seconds());
      throw error;
    }
  });
  await queue.work('run', runsAtOnce, async (job, signal) => {
    const end = await traced('run', job.key, jobs, reports, ({ run }) => run(job, signal));
    if (end !== 'ended') return;
    // The next run may be queued already.
    const ended = { visible: 'all', account: job.key, states: endedRunStates, limit: 1 } as const;
    const run = firstOf(await store.runs.list(ended));
    if (run === undefined) return;
    workLog.ran(run);
    await measureRun(run, parts, reports);
  });
  await queue.work('rehearse', 1, async ({ key, stopping }, signal) =>
    rehearsePlanJob(key, parts, AbortSignal.any([stopping, signal])),
  );
  await queue.work('fetch', 2, async ({ key }, signal) =>
    workLog.fetched(key, await fetchSourceJob(key, parts, signal)),
  );
  await queue.work('rollout', rolloutsAtOnce, async ({ key, stopping }, signal) =>
    rolloutJob(key, jobs, AbortSignal.any([stopping, signal])),
  );
  await queue.work('notify', 4, async ({ key }, signal) =>
    notifyJob(key, { ...parts, onUnsent: workLog.unsent }, signal),
  );
  await queue.work('prune', 1, async () => {
    const pruned = await pruneJob({ store, settings, isEmbedded });
    log('info', 'pruned old records', { part: 'prune', ...pruned });
  });
}

/** Works one job, and passes its events on with the name of its account. */
async function traced<T>(
  kind: 'check' | 'run',
  account: string,
  jobs: JobParts,
  { emit }: Reports,
  work: (handlers: AccountJobs) => Promise<T>,
): Promise<T> {
  const job = randomUUID();
  emit({ type: 'job_start', job, kind, account });
  let isFailed = true;
  try {
    const result = await work(
      accountJobs({
        ...jobs,
        onEvent(name, event) {
          jobs.onEvent?.(name, event);
          if (event.type === 'apply_start' || event.type === 'apply_end') return;
          emit({ type: 'job_event', job, account, event: heard(event) });
        },
      }),
    );
    isFailed = false;
    return result;
  } finally {
    emit({ type: 'job_end', job, isFailed });
  }
}

/** Texts of problems are kept in the log of the run, and names of hosts in its plan. */
function heard(event: Exclude<EngineEvent, { readonly type: 'apply_start' | 'apply_end' }>): WorkEvent {
  switch (event.type) {
    case 'step_start':
      return { ...event, target: {} };
    case 'diagnostic': {
      const { code, severity } = event.problem;
      return { type: event.type, problem: { code, severity, message: `the run reports ${code}` } };
    }
    default:
      return event;
  }
}

/** Counts the changes of an ended run, and how long its plan took until a read showed the desired state. */
async function measureRun(
  run: ServerRun,
  { store }: ServerParts,
  { metrics, labelOf }: Reports,
): Promise<void> {
  const label = labelOf(run.account);
  for (const [kind, hosts] of hostsChangedBy(run)) metrics.changed(label, kind, hosts);
  if (run.state !== 'done' || run.plan === null || run.endedAt === null) return;
  const plan = await store.plans.find(run.plan, 'all');
  if (plan === undefined) return;
  metrics.converged(label, (run.endedAt.getTime() - plan.createdAt.getTime()) / 1000);
}

/** Adds due jobs, every few seconds. Several schedulers share the work: one of them processes each tick. */
export async function startScheduler(parts: ServerParts): Promise<{ stop(): void }> {
  const { queue, log } = parts;
  await queue.work('tick', 1, async () => {
    const { down } = await tick(parts);
    for (const service of down)
      log('warn', `the service ${service} is down; one account is tried at a time`, { part: 'scheduler' });
    await requeueRuns(parts);
    await reportExpiring(parts);
  });
  // The queue reports a database that is away.
  const send = () => queue.send('tick', ['all'], { oncePerMs: tickMs }).catch(() => {});
  await send();
  const timer = setInterval(() => void send(), tickMs);
  return { stop: () => clearInterval(timer) };
}
