import { count } from '../../core/lib/words.ts';
import type { Observed } from '../../core/model/observed.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { isEmpty } from '../../core/plan/types/plan.ts';
import { hostIdsOf } from '../../core/plan/types/step.ts';
import { unsoundness } from '../../core/plan/verify/unsoundness.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { printResult } from '../listing/print-listing.ts';
import { loadPlan } from '../planning/print-review.ts';
import { readLiveOrSaved } from '../setup/live-or-saved.ts';
import type { Context } from '../shell/context.ts';
import { checkPlanFile, type SignatureFlag, signedWords } from '../trust/plan-signatures.ts';

export interface VerifyFlags extends SignatureFlag {
  /** A snapshot that the plan must fit. */
  readonly observed?: string;
}

/** Checks a saved plan without the planner, and without calls. */
export async function verifyCommand(context: Context, flags: VerifyFlags, file: string): Promise<ExitCode> {
  // Whoever opens a plan file verifies it: without a snapshot, nothing is left to do here.
  const plan = await loadPlan(context, file);
  if (!plan.ok) return context.fail(plan.problems);
  const fleet = await savedFleet(context, flags);
  if (!fleet.ok) return context.fail(fleet.problems);
  const { account } = plan.value;
  const checksum = planChecksum(plan.value);
  const signature =
    flags.requireSignature === undefined
      ? undefined
      : await checkPlanFile(context, { file, checksum, account }, flags);
  if (signature?.ok === false) return context.fail(signature.problems);
  if (signature !== undefined) context.log(signedWords(signature.value));
  const problems = fleet.value === undefined ? [] : unsoundness(plan.value, fleet.value);
  if (problems.length > 0) return context.fail(problems);
  const hosts = new Set(plan.value.steps.flatMap(hostIdsOf)).size;
  const calls = plan.value.calls.planned;
  const document = {
    sound: true,
    checksum,
    hosts,
    calls,
    ...(signature && { signature: signature.value.statement }),
  };
  const words = isEmpty(plan.value)
    ? 'changes nothing'
    : `changes ${count(hosts, 'host')} with ${count(calls, 'call')}, and no plan needs fewer`;
  return printResult(context, document, `The plan is sound. It ${words}.\n`);
}

async function savedFleet(
  context: Context,
  { observed }: VerifyFlags,
): Promise<Result<Observed | undefined>> {
  if (observed === undefined) return ok(undefined);
  const read = await readLiveOrSaved(context, { saved: observed, antivirus: false });
  return read.ok ? ok(read.value.observed) : read;
}
