import { createHash } from 'node:crypto';
import { printable } from '../../core/lib/printable.ts';
import type { Account } from '../../core/model/account.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { type CheckedSignature, checkSignature, mostSkewMs } from '../../run/signature/check-signature.ts';
import { signatureFileOf } from '../../run/signature/plan-statement.ts';
import { requiredSigners } from '../../run/signature/required-signers.ts';
import { type SignedSubject, signPlan, signPlanKeyless } from '../../run/signature/sign-plan.ts';
import { openSigningKey, pipelineIdentity, readSigners } from '../../run/signature/signature-settings.ts';
import { readBytes } from '../../run/state/files/read-bytes.ts';
import { originOfCommand } from '../service/command-origin.ts';
import { type Context, readTextFile, writeWhole } from '../shell/context.ts';

/** Who must have signed a plan. */
export interface SignatureFlag {
  /** Names of allowed signers. */
  readonly requireSignature?: readonly string[];
}

export interface SignFlags {
  /** How long the signature is valid, in milliseconds. */
  readonly signFor?: number;
}

const usualLifeMs = 2 * 24 * 3_600_000;

/** A saved plan, or the index of several. */
export interface PlanOnDisk {
  /** As the user wrote it. */
  readonly file: string;
  readonly checksum: string;
  /** Null for an index. */
  readonly account: Account | null;
}

/** Writes the signature of a plan file next to it. */
export async function signPlanFile(
  context: Context,
  plan: PlanOnDisk,
  { signFor = usualLifeMs }: SignFlags,
): Promise<Result<string>> {
  const { io, path, redaction } = context;
  const identity = pipelineIdentity(io.env);
  const key = identity === undefined ? await openSigningKey({ env: io.env, path }) : ok(null);
  if (!key.ok) return key;
  const subject = await subjectOf(context, plan);
  if (!subject.ok) return subject;
  const origin = await originOfCommand(context, { command: 'plan' });
  const options = { origin, now: io.clock.now(), lifeMs: signFor };
  if (identity?.token !== undefined) redaction.hide([identity.token]);
  const signature =
    key.value === null
      ? await signPlanKeyless(subject.value, identity?.token, options)
      : ok(signPlan(subject.value, key.value, options));
  if (!signature.ok) return signature;
  const file = signatureFileOf(plan.file);
  const written = await writeWhole(path(file), file, signature.value);
  return written.ok ? ok(file) : written;
}

/** Checks the signature next to a plan file. The flag and the environment set who must have signed it. */
export async function checkPlanFile(
  context: Context,
  plan: PlanOnDisk,
  { requireSignature }: SignatureFlag,
): Promise<Result<CheckedSignature>> {
  const { io, path } = context;
  const allowed = await readSigners({ env: io.env, path });
  if (!allowed.ok) return allowed;
  const required = [requireSignature, requiredSigners(io.env)].filter((names) => names !== undefined);
  const file = signatureFileOf(plan.file);
  const text = await readTextFile(path(file), file);
  if (!text.ok) return text.problems[0]?.code === 'file-missing' ? failed(notSigned(plan.file)) : text;
  const subject = await subjectOf(context, plan);
  if (!subject.ok) return subject;
  const rules = { ...allowed.value, required, now: io.clock.now() };
  return checkSignature(text.value, file, subject.value, rules);
}

function notSigned(file: string): Problem {
  return problem('not-approved', 'the plan is not signed', {
    place: { file, line: 1, col: 1 },
    hint: 'sign it when you plan: rampart plan --sign --out FILE',
  });
}

async function subjectOf(
  { path }: Context,
  { file, checksum, account }: PlanOnDisk,
): Promise<Result<SignedSubject>> {
  const bytes = await readBytes(path(file), file);
  if (!bytes.ok) return bytes;
  const sha256 = createHash('sha256').update(bytes.value).digest('hex');
  return ok({ checksum, account, sha256 });
}

/** Why a plan must not be applied although its file was read; undefined if it may be. */
export async function signatureRefusal({ signed, state }: Context, plan: Plan): Promise<Problem | undefined> {
  if (!signed.isRequired()) return undefined;
  const checksum = planChecksum(plan);
  const signature = signed.get(checksum);
  if (signature === undefined) return unsigned;
  const opened = await state.open();
  if (!opened.ok) return opened.problems[0];
  const { signed_at: signedAt } = signature.statement;
  const since = Date.parse(signedAt) - mostSkewMs;
  const runs = await opened.value.listRuns({ account: plan.account, since });
  if (!runs.ok) return runs.problems[0];
  const earlier = runs.value.find(
    ({ head, state: end }) => head.plan_checksum === checksum && end === 'completed',
  );
  return earlier === undefined ? undefined : appliedBefore(earlier.head.run_id);
}

const unsigned = problem(
  'not-approved',
  'only a signed plan may be applied here, and this one is not signed',
  {
    hint: 'save and sign it with rampart plan --sign --out FILE, have it reviewed, and pass the file to rampart apply; a signed plan takes no further --ack',
  },
);

function appliedBefore(runId: string): Problem {
  return problem('stale-plan', `this signed plan was already applied, by the run ${runId}`, {
    hint: 'plan and sign again',
  });
}

/** For the log: who signed, and what they signed. */
export function signedWords({ statement, signers }: CheckedSignature): string {
  const { signed_at: at, commit, planned_by: by } = statement;
  const from = commit === null ? '' : ` from commit ${printable(commit)}`;
  return `Signed by ${printable(signers.join(', '))} at ${at}. Planned by ${printable(by.actor)} on ${printable(by.from)}${from}.`;
}
