import type { Haystack } from '../../accounts/engine/planning.ts';
import { parseJson } from '../../core/lib/parse-json.ts';
import { type Account, equalAccounts } from '../../core/model/account.ts';
import { readSnapshot } from '../../core/model/snapshot.ts';
import { readPlan } from '../../core/plan/document/plan-document.ts';
import { baselineOfFleet, baselineOfPlan } from '../../core/plan/drift/baseline.ts';
import { type Baseline, type DriftReport, findDrift } from '../../core/plan/drift/drift.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { type Context, readTextFile } from '../shell/context.ts';
import { createCommandPlanner, type FleetFlags, fleetToPlan } from './planning.ts';
import { readDesiredState } from './read-desired-state.ts';

/** What the fleet and the desired state are compared with. */
export interface DriftSources extends FleetFlags {
  /** A plan or a snapshot to compare with, instead of the fleet after the last run. */
  readonly since?: string;
  /** Report unmanaged hosts too. */
  readonly all?: true;
}

export interface FoundDrift extends Haystack {
  readonly report: DriftReport;
}

/** Reads the desired state, the fleet and the baseline, and compares them. Sends only GET requests. */
export async function readDrift(context: Context, flags: DriftSources): Promise<Result<FoundDrift>> {
  const desired = await readDesiredState(flags.file ?? [], context);
  if (!desired.ok) return desired;
  context.report(desired.problems);
  const fleet = await fleetToPlan(context, desired.value, flags);
  if (!fleet.ok) return fleet;
  context.report(fleet.problems);

  const { account, observed, facts } = fleet.value;
  const baseline =
    flags.since === undefined
      ? await recordedFleet(context, account)
      : await savedBaseline(context, flags.since, account);
  if (!baseline.ok) return baseline;
  context.report(baseline.problems);
  const planner = await createCommandPlanner(context, { desired: desired.value, ...fleet.value }, flags);
  if (!planner.ok) return planner;
  const inputs = planner.value.inputsOn(observed);
  if (!inputs.ok) return inputs;
  const report = findDrift(inputs.value, {
    ...(baseline.value === null ? {} : { baseline: baseline.value }),
    unmanaged: flags.all ?? false,
  });
  return ok({ report, desired: desired.value, observed, facts });
}

async function recordedFleet(context: Context, account: Account): Promise<Result<Baseline | null>> {
  const state = await context.state.open();
  if (!state.ok) return state;
  const left = await state.value.readFleet(account);
  if (!left.ok || left.value === null) return left.ok ? ok(null) : left;
  // Before the first run, a server that shares this state has recorded what a check found.
  const runs = await state.value.listRuns({ account, limit: 1 });
  const hasRun = !runs.ok || runs.value.length > 0;
  return ok(
    baselineOfFleet(left.value, hasRun ? 'the result of the last run' : 'the fleet that Rampart recorded'),
  );
}

async function savedBaseline(context: Context, file: string, account: Account): Promise<Result<Baseline>> {
  const text = await readTextFile(context.path(file), file);
  if (!text.ok) return text;
  const saved = readBaseline(text.value, file);
  if (!saved.ok) return saved;
  if (equalAccounts(saved.value.account, account)) return ok(saved.value.baseline);
  return failed(
    problem('other-account', `${file} is for another account`, {
      hint: 'choose the correct --account, or another file for --since',
    }),
  );
}

interface SavedBaseline {
  readonly account: Account;
  readonly baseline: Baseline;
}

/** Reads a plan or a snapshot. Errors name the kind of file that it appears to be. */
function readBaseline(text: string, file: string): Result<SavedBaseline> {
  const snapshot = readSnapshot(text, file);
  if (snapshot.ok)
    return ok({ account: snapshot.value.account, baseline: baselineOfFleet(snapshot.value, file) });
  const plan = readPlan(text, file);
  if (plan.ok) return ok({ account: plan.value.account, baseline: baselineOfPlan(plan.value, file) });
  if (hasMember(text, 'steps')) return plan;
  if (hasMember(text, 'hosts')) return snapshot;
  return failed(
    problem('snapshot-invalid', 'the file is neither a plan nor a snapshot', {
      place: { file, line: 1, col: 1 },
      hint: 'create one with: rampart plan --out FILE, or rampart hosts snapshot --out FILE',
    }),
  );
}

function hasMember(text: string, name: string): boolean {
  const document = parseJson(text);
  return typeof document === 'object' && document !== null && name in document;
}
