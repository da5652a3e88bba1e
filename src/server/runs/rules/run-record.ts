import type { ActionPace } from '../../../accounts/engine/connection.ts';
import type { EngineEvent } from '../../../accounts/engine/engine-parts.ts';
import { createTurns } from '../../../core/lib/turns.ts';
import { grouped } from '../../../core/lib/words.ts';
import type { StepOutcome } from '../../../core/model/run-event.ts';
import { isDoneOutcome } from '../../../core/model/run-event.ts';
import { actsOf } from '../../../core/plan/ordering/planned-acts.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { hostIdsOf, type StepKind } from '../../../core/plan/types/step.ts';
import { countsByAction } from '../../../output/review/planned-hosts.ts';
import { stepTitle } from '../../../output/review/step-title.ts';
import type { Store } from '../../store/open-store.ts';
import type { RunLine, RunSteps, ServerRun } from '../records/runs.ts';
import { createRunPace } from './run-pace.ts';
import { createStepWaits } from './step-waits.ts';

/** Writes the progress and the log of a run while it is in progress. */
export interface RunRecorder {
  hear(event: EngineEvent): void;
  /** From now on, the progress shows what bounds the pace. */
  paced(paces: () => readonly ActionPace[]): void;
  /** Adds a line to the log. */
  log(type: string, text: string): void;
  steps(): RunSteps;
  progress(): Readonly<Record<string, unknown>>;
  /** Writes what has not been written yet. */
  flush(): Promise<void>;
}

/** The lines of one write. More than that happened in one interval only as a number. */
const mostLines = 200;

export interface RunRecorderParts {
  readonly store: Store;
  readonly run: Pick<ServerRun, 'id' | 'account' | 'journal' | 'progress'>;
  readonly plan: Plan;
  readonly now: () => number;
  readonly redact: (text: string) => string;
}

/** Steps of one kind, and the hosts that they change: a batch is one step. */
const noCounts = {
  total: 0,
  done: 0,
  failed: 0,
  in_doubt: 0,
  hosts: 0,
  hosts_done: 0,
  hosts_failed: 0,
  hosts_in_doubt: 0,
};
type KindCounts = { -readonly [Key in keyof typeof noCounts]: number };

/** The caller decides when to `flush`: so often, and only while the run holds its lock. */
export function createRunRecorder({ store, run, plan, now, redact }: RunRecorderParts): RunRecorder {
  const journals = journalsOf(run);
  const titles = new Map<string, string>(plan.steps.map((step) => [step.id, stepTitle(step)]));
  const kinds = new Map<StepKind, KindCounts>();
  const hosts = new Map<string, number>(plan.steps.map((step) => [step.id, hostIdsOf(step).length]));
  for (const { kind, id } of plan.steps) {
    const counts = kinds.get(kind) ?? { ...noCounts };
    counts.total += 1;
    counts.hosts += hosts.get(id) ?? 0;
    kinds.set(kind, counts);
  }
  const sizes = new Map<string, number>(plan.steps.map((step) => [step.id, actsOf([step]).length]));
  let changes = 0;
  /** What the history has, also of earlier workers. */
  let counted = typeof run.progress['counted'] === 'number' ? run.progress['counted'] : 0;
  let countedRefusals = 0;
  const outcomes = new Map<StepOutcome, number>();
  const running = new Set<string>();
  let lines: RunLine[] = [];
  let left = 0;
  const pace = createRunPace(now);
  const waits = createStepWaits(plan.steps, plan.deleteFirst);
  let isChanged = true;
  let allJournals = journals;

  const add = (type: string, text: string, step?: string) => {
    isChanged = true;
    if (lines.length >= mostLines) left += 1;
    else lines.push({ type, text: redact(text), ...(step === undefined ? {} : { step }) });
  };
  const count = (...those: readonly StepOutcome[]) =>
    those.reduce((sum, outcome) => sum + (outcomes.get(outcome) ?? 0), 0);
  const steps = (): RunSteps => ({
    total: plan.steps.length,
    done: count('done', 'already'),
    failed: count('failed'),
    in_doubt: count('unknown'),
    in_progress: running.size,
    skipped: count('skipped', 'not-started'),
  });
  const progress = () => {
    const open = plan.steps.length - [...outcomes.values()].reduce((sum, each) => sum + each, 0);
    const seconds = pace.secondsFor(open);
    return {
      journals: allJournals,
      counted,
      counts: countsByAction(plan),
      by_kind: [...kinds].map(([kind, counts]) => ({ kind, ...counts })),
      pace: pace.report(),
      seconds_left:
        seconds === null ? null : { low: Math.floor(seconds * 0.8), high: Math.ceil(seconds * 1.5) },
      waiting: [...pace.waits(), ...(open === 0 ? [] : waits.list(pace.of))].map((wait) => ({
        ...wait,
        title: redact(wait.title),
        for: redact(wait.for),
      })),
    };
  };

  const write = async () => {
    if (!isChanged && !pace.isChanging()) return;
    isChanged = false;
    const written =
      left === 0 ? lines : [...lines, { type: 'note', text: `${grouped(left)} more not shown` }];
    lines = [];
    left = 0;
    const all = Math.max(counted, changes);
    const refusals = pace.refused();
    const fresh = { changes: all - counted, rateLimited: refusals - countedRefusals };
    const change = { steps: steps(), progress: { ...progress(), counted: all } };
    // Together, so that another worker continues with exactly what the history has.
    await store.transaction(async ({ runs, history }) => {
      const noted = await runs.note(run.id, change);
      // A worker that lost its lock without noticing counts nothing: the one after it counts the same steps as found done.
      if (noted === undefined || (noted.journal !== null && !allJournals.includes(noted.journal))) return;
      if (written.length > 0) await runs.log(run.id, written);
      if (fresh.changes + fresh.rateLimited > 0) await history.count(run.account, fresh);
    });
    [counted, countedRefusals] = [all, refusals];
  };
  // One after another: the end of a run may come while its progress is being written, and would count the same again.
  const inTurn = createTurns();

  return {
    hear(event) {
      switch (event.type) {
        case 'step_start':
          running.add(event.step);
          waits.started(event.step);
          isChanged = true;
          return;
        case 'step_end': {
          const { step, outcome } = event;
          running.delete(step);
          waits.ended(step);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          // What this run finds done was done by a worker before, which may have had no time to count it.
          if (outcome === 'done' || (outcome === 'already' && journals.length > 0))
            changes += sizes.get(step) ?? 0;
          const counts = kinds.get(event.kind as StepKind);
          const all = hosts.get(step) ?? 0;
          if (counts !== undefined && isDoneOutcome(outcome)) {
            counts.done += 1;
            counts.hosts_done += all;
          }
          if (counts !== undefined && outcome === 'failed') {
            counts.failed += 1;
            const failed = event.failedHosts ?? all;
            counts.hosts_failed += failed;
            counts.hosts_done += all - failed;
            changes += Math.max(0, (sizes.get(step) ?? 0) - failed);
          }
          if (counts !== undefined && outcome === 'unknown') {
            counts.in_doubt += 1;
            counts.hosts_in_doubt += all;
          }
          add(outcome, titles.get(step.replace(/-rest$/, '')) ?? step, step);
          return;
        }
        case 'call':
        case 'waiting':
          pace.hear(event);
          return;
        case 'diagnostic':
          add(event.problem.severity, event.problem.message);
          return;
        case 'retry':
          pace.hear(event);
          add('retry', `${event.action} failed (${event.code}) and is sent again`);
          return;
        case 'run_start':
          allJournals = [...journals, event.runId];
          isChanged = true;
          return;
        case 'run_end':
        case 'apply_start':
        case 'apply_end':
          return;
      }
    },
    paced: (paces) => pace.watch(paces),
    log: (type, text) => add(type, text),
    steps,
    progress,
    flush: () => inTurn(write),
  };
}

/** The hosts that a run changed so far, by kind of change, as its record has them. */
export function hostsChangedBy({ progress }: Pick<ServerRun, 'progress'>): ReadonlyMap<string, number> {
  const kinds = progress['by_kind'];
  const changed = (
    Array.isArray(kinds) ? (kinds as readonly ({ kind: StepKind } & KindCounts)[]) : []
  ).filter(({ kind, hosts_done: done }) => kind !== 'temporary-rename' && done > 0);
  return new Map(
    changed.map(({ kind, hosts_done: done }) => [kind === 'antivirus' ? 'install' : kind, done]),
  );
}

/** The journals of a run in the shared state, oldest first: one for each worker that continued it. */
export function journalsOf({
  journal,
  progress,
}: Pick<ServerRun, 'journal' | 'progress'>): readonly string[] {
  const { journals } = progress;
  const known = Array.isArray(journals) ? journals.filter((each) => typeof each === 'string') : [];
  return journal === null || known.includes(journal) ? known : [...known, journal];
}
