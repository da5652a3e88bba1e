import { holdTurns } from '../../accounts/engine/own-turn.ts';
import { ok, type Problem, type Result } from '../../core/problem/problem.ts';
import { logProblem } from '../../run/telemetry/server-log.ts';
import type { Hear } from '../../run/telemetry/telemetry-event.ts';
import { countWaiting } from '../accounts/decisions/waiting-for.ts';
import { pausedNames } from '../accounts/routes/paused-accounts.ts';
import { findServerPackage } from '../database/server-package.ts';
import { createThreadedExplainer } from '../hosts/rules/explain-over-thread.ts';
import type { HttpParts } from '../http/route.ts';
import type { ServerWork } from '../http/server-work.ts';
import { mountOperations } from '../metrics/mount-operations.ts';
import { createServerMetrics } from '../metrics/server-metrics.ts';
import { testNotification } from '../notifications/rules/notify.ts';
import { diffPlanFiles } from '../plans/rules/plan-files.ts';
import { signingRefusal } from '../plans/rules/signed-plan.ts';
import { draftProposal } from '../proposals/rules/draft-proposal.ts';
import { openProposal } from '../proposals/rules/open-proposal.ts';
import { planProposal } from '../proposals/rules/plan-proposal.ts';
import type { JobParts } from '../queue/rules/job-parts.ts';
import { proposeUndo } from '../runs/rules/propose-undo.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import { openLogin } from '../sign-in/routes/open-login.ts';
import { createHttp, type Http } from './create-http.ts';
import { missingKeys, missingSecrets } from './missing-secrets.ts';
import { openParts, type PartsOptions, type ServerParts } from './open-parts.ts';
import { mountServerHooks } from './server-hooks.ts';
import { settingWarnings } from './setting-warnings.ts';
import { startSigning } from './sign-audit-log.ts';
import { jobPartsOf, startScheduler, startWorker } from './start-jobs.ts';

export interface ServerOptions extends PartsOptions {
  readonly isEmulator: boolean;
  /** The built console; absent: the one that is installed with the program. */
  readonly consoleFolder?: string;
  /** Events of the work on accounts, for the log, traces and metrics. */
  readonly emit?: Hear;
  /** Called with each new login link, which only the operator of this machine may see. */
  readonly onLink?: (url: string) => void;
  /** Writes the records of an example before the first job. */
  readonly prepare?: (parts: ServerParts) => Promise<void>;
  /** The parts that this process has. */
  readonly has: { readonly http: boolean; readonly scheduler: boolean; readonly worker: boolean };
}

export interface RunningServer {
  readonly parts: ServerParts;
  /** `http://127.0.0.1:8080`; null without HTTP. */
  readonly url: string | null;
  /** Signs in once on this machine; null without HTTP, or if people sign in at a provider. */
  readonly loginLink: string | null;
  /** Takes no more jobs, ends runs at a safe point, then closes everything. */
  stop(): Promise<void>;
}

/** How long handlers may take to end at a safe point, in milliseconds. */
const graceMs = 25_000;

export async function startServer(options: ServerOptions): Promise<Result<RunningServer>> {
  const { has, emit = () => {}, settings } = options;
  const opened = await openParts(options);
  if (!opened.ok) return opened;
  const parts = opened.value;
  const { queue, store, clock } = parts;
  await options.prepare?.(parts);
  const signing = await startSigning(parts);
  await warnOfSettings(parts);
  const metrics = createServerMetrics({
    counts: () => queue.counts(),
    async accounts() {
      const { health, unchecked, oldest_check: oldest, unmatched } = await store.overview('all');
      const paused = pausedNames(await store.pauses.list(), settings);
      const waitingFor = countWaiting(await store.accounts.waiting('all'), (name) => paused.has(name));
      return { health, unchecked, waitingFor, unmatched, oldestCheckAt: oldest?.at.getTime() ?? null };
    },
    audit: async () => ({ head: await signing.head(), isBroken: signing.isBroken() }),
    now: () => clock.now(),
  });
  emit({ type: 'metrics', read: metrics.read });
  const labelOf = labelsOf(settings);
  const jobs = jobPartsOf(parts, (account, event) => {
    if (event.type === 'call') metrics.called(labelOf(account), event.action, event.status);
  });
  let scheduler: { stop(): void } | undefined;
  let http: StartedHttp | undefined;
  const stop = async () => {
    scheduler?.stop();
    await http?.close();
    await queue.stop(graceMs);
    await signing.stop();
    // The last export happens after the database is closed.
    const last = await metrics.read().catch(() => []);
    emit({ type: 'metrics', read: async () => last });
    await parts.close();
  };
  if (has.http) {
    const started = await startHttp(parts, options, metrics, createServerWork(parts, jobs));
    if (!started.ok) {
      await stop();
      return started;
    }
    http = started.value;
  }
  if (has.worker) await startWorker(parts, jobs, { metrics, labelOf, emit });
  if (has.scheduler) scheduler = await startScheduler(parts);
  return ok({ parts, url: http?.url ?? null, loginLink: http?.loginLink ?? null, stop });
}

/** The server starts without them: anything that needs them fails with the reason, and the rest works. */
async function warnOfSettings({ settings, env, hide, log }: ServerParts): Promise<void> {
  const unsigned = await signingRefusal({ env, settings });
  for (const each of [
    ...missingSecrets({ settings, env, hide }),
    ...missingKeys({ settings, env, hide }),
    ...settingWarnings(settings),
    ...(unsigned === undefined ? [] : [unsigned]),
  ])
    logProblem(log, 'warn', each, 'settings');
}

/** The value of the label that `metrics` names, for each account. */
function labelsOf({ accounts, metrics: { label } }: ServerSettings): (account: string) => string {
  if (label === undefined) return () => '';
  const labels = new Map(accounts.map((each) => [each.name, each.labels[label] ?? '']));
  return (account) => labels.get(account) ?? '';
}

interface StartedHttp {
  readonly url: string;
  readonly loginLink: string | null;
  close(): Promise<void>;
}

async function startHttp(
  parts: ServerParts,
  { version, isEmulator, onLink, consoleFolder: given }: ServerOptions,
  metrics: ReturnType<typeof createServerMetrics>,
  work: ServerWork,
): Promise<Result<StartedHttp>> {
  const { settings, log, store, clock, env, hide, state } = parts;
  const found = findServerPackage(version);
  if (!found.ok) return found;
  let address = settings.url ?? '';
  const onProblem = ({ message, code, hint }: Problem) =>
    log('warn', message, { part: 'http', code, ...(hint === undefined ? {} : { hint }) });
  const login = openLogin({
    settings,
    store,
    audit: state.audit,
    clock,
    env,
    hide,
    url: () => address,
    onProblem,
    ...(onLink === undefined ? {} : { onLink }),
  });
  const httpParts: HttpParts = {
    settings,
    store,
    state,
    queue: parts.queue,
    work,
    acts: login.acts,
    hide,
    clock,
    identify: login.identify,
    consoleFolder: given ?? found.value.consoleFolder,
    version,
    isEmulator,
    mount(app) {
      login.mount(app);
      mountServerHooks(app, parts, () => httpParts);
      mountOperations(app, {
        metrics,
        async faults() {
          const fault = await parts.databaseFault();
          return fault === null ? [] : [fault];
        },
      });
    },
    onRequest: holdTurns,
    onAnswer({ route, method, status, ms, subject, requestId }) {
      metrics.answered(route, method, status, ms / 1000);
      const level = status >= 500 ? 'error' : 'debug';
      log(level, `${method} ${route} ${status}`, {
        part: 'http',
        request: requestId,
        ms: Math.round(ms),
        subject,
      });
    },
    onFault(fault, request) {
      const words = fault instanceof Error ? { message: fault.message, stack: fault.stack } : {};
      log('error', 'a request failed unexpectedly', { part: 'http', request, ...words });
    },
  };
  const http: Http = createHttp(httpParts);
  const listening = await http.listen(settings.listen);
  if (!listening.ok) {
    await login.close();
    return listening;
  }
  const { url } = listening.value;
  address ||= url;
  return ok({
    url,
    loginLink: await login.createLink(),
    async close() {
      await http.close();
      await login.close();
    },
  });
}

function createServerWork(parts: ServerParts, jobs: JobParts): ServerWork {
  return {
    undo: (run, by) => proposeUndo(run, by, jobs),
    explain: createThreadedExplainer(jobs),
    planFiles: (plan, before) => diffPlanFiles(plan, before, jobs),
    draftProposal: (hosts, change) => draftProposal(hosts, change, jobs),
    planProposal: (draft, signal) => planProposal(draft, jobs, signal),
    openProposal: (draft, words) => openProposal(draft, words, parts),
    async testNotification(name) {
      const sent = await testNotification(name, parts);
      return sent.ok ? ok({ sent: true, message: sent.value }) : sent;
    },
  };
}
