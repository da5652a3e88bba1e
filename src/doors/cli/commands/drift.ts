import { type ExitCode, exitCodeOf, exitCodes } from '../../../control/engine/exit-code.ts';
import type { Account } from '../../../core/model/account.ts';
import { readSnapshot } from '../../../core/model/snapshot.ts';
import { toDocument } from '../../../core/plan/document/document-names.ts';
import { readPlan } from '../../../core/plan/document/plan-document.ts';
import { baselineOfFleet, baselineOfPlan } from '../../../core/plan/drift/baseline.ts';
import { type Baseline, type DriftReport, findDrift, isDrift } from '../../../core/plan/drift/drift.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { paintDrift } from '../../../output/review/drift-text.ts';
import { type FleetFlags, fleetToPlan } from '../planning/fleet-to-plan.ts';
import { createPlanner } from '../planning/planning.ts';
import { readDesiredState } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import { readText } from '../shell/files.ts';

export interface DriftFlags extends FleetFlags {
  /** A plan or a snapshot to compare with, instead of the fleet after the last run. */
  readonly since?: string;
  /** Report unmanaged hosts too. */
  readonly all?: true;
  readonly detailedExitcode?: true;
}

const driftFormatVersion = '2.0';

/** Separates changes in the fleet from changes in the file. Sends only GET requests. */
export async function drift(context: Context, flags: DriftFlags): Promise<ExitCode> {
  const desired = await readDesiredState(flags.file ?? [], context);
  if (!desired.ok) return context.fail(desired.problems);
  context.report(desired.problems);
  const fleet = await fleetToPlan(context, desired.value, flags);
  if (!fleet.ok) return context.fail(fleet.problems);
  context.report(fleet.problems);

  const { account, observed } = fleet.value;
  const baseline =
    flags.since === undefined
      ? await lastRun(context, account)
      : await savedBaseline(context, flags.since, account);
  if (!baseline.ok) return context.fail(baseline.problems);
  context.report(baseline.problems);
  const planner = await createPlanner(context, { desired: desired.value, ...fleet.value }, flags);
  if (!planner.ok) return context.fail(planner.problems);
  const inputs = planner.value.inputsOn(observed);
  if (!inputs.ok) return context.fail(inputs.problems);
  const report = findDrift(inputs.value, {
    ...(baseline.value === null ? {} : { baseline: baseline.value }),
    unmanaged: flags.all ?? false,
  });
  print(report, context);
  context.report(report.problems);
  return exitFor(report, flags);
}

function print(report: DriftReport, context: Context): void {
  const { settings, io } = context;
  if (settings.format === 'json') {
    context.printJson({ format_version: driftFormatVersion, ...(toDocument(report) as object) });
  } else context.print(paintDrift(report, { colour: settings.outColour, columns: io.stdout.columns }));
}

/** A pending change is not drift, because the next apply makes it; nor is an install that the service accepted. */
function exitFor(
  { differences, unmanaged, problems }: DriftReport,
  { detailedExitcode }: DriftFlags,
): ExitCode {
  const code = exitCodeOf(problems);
  if (code !== exitCodes.success) return code;
  const drifted = differences.some(isDrift);
  return detailedExitcode === true && (drifted || unmanaged.length > 0)
    ? exitCodes.changes
    : exitCodes.success;
}

async function lastRun(context: Context, account: Account): Promise<Result<Baseline | null>> {
  const state = await context.state.open();
  if (!state.ok) return state;
  const left = await state.value.readFleet(account);
  if (!left.ok || left.value === null) return left.ok ? ok(null) : left;
  return ok(baselineOfFleet(left.value.observed, 'the result of the last run'));
}

async function savedBaseline(context: Context, file: string, account: Account): Promise<Result<Baseline>> {
  const text = await readText(context.path(file), file);
  if (!text.ok) return text;
  const saved = readBaseline(text.value, file);
  if (!saved.ok) return saved;
  const same =
    saved.value.account.companyId === account.companyId && saved.value.account.service === account.service;
  if (same) return ok(saved.value.baseline);
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
  if (snapshot.ok) {
    const { account, observed } = snapshot.value;
    return ok({ account, baseline: baselineOfFleet(observed, file) });
  }
  const plan = readPlan(text, file);
  if (plan.ok) return ok({ account: plan.value.account, baseline: baselineOfPlan(plan.value, file) });
  if (hasMember(text, 'steps')) return plan;
  if (hasMember(text, 'hosts')) return snapshot;
  return failed(
    problem('snapshot-invalid', 'the file is neither a plan nor a snapshot', {
      place: { file, line: 1, col: 1 },
      hint: 'create one with: rampart plan --out FILE, or rampart snapshot --out FILE',
    }),
  );
}

function hasMember(text: string, name: string): boolean {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null && name in document;
  } catch {
    return false;
  }
}
