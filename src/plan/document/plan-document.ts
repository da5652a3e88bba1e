import { canonicalJson } from '../../lib/canonical-json.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { problem } from '../../problem/problem.ts';
import { failed, ok, type Result } from '../../problem/result.ts';
import { type Plan, planFormatVersion } from '../plan.ts';
import { fromDocument, toDocument } from './document-names.ts';
import { planDocumentSchema } from './plan-schema.ts';

/**
 * What the checksum covers: what will be done, to whom, by whose leave, and what stands in the way. Counts of hosts
 * that the plan leaves alone, times and forecasts are not in it, so that an enrolment elsewhere changes no approval.
 */
const covered = [
  'format_version',
  'account',
  'steps',
  'breaches',
  'acks',
  'applicable',
  'delete_first',
  'partial',
  'undo',
  'constraints',
] as const;

/** The plan as its JSON document: snake_case, host ids as decimal strings, with its checksum. */
export function toPlanDocument(plan: Plan): Readonly<Record<string, unknown>> {
  const body = toDocument(plan) as Readonly<Record<string, unknown>>;
  return { ...body, checksum: checksumOf(body) };
}

/** The document as text; the same plan gives the same bytes. */
export function printPlan(plan: Plan): string {
  return `${JSON.stringify(toPlanDocument(plan), null, 2)}\n`;
}

/** What a reviewer agrees to, in 64 hexadecimal digits. */
export function planChecksum(plan: Plan): string {
  return checksumOf(toDocument(plan));
}

/** Reads a plan file; one that was edited, or that another version wrote, is refused. */
export function readPlan(text: string, file: string): Result<Plan> {
  const place = { file, line: 1, col: 1 };
  const hint = 'make it again: rampart plan --out FILE';
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return failed(problem('plan-file-invalid', 'this is not a plan file: it is not JSON', { place, hint }));
  }
  const version = versionOf(document);
  if (version !== undefined && major(version) !== major(planFormatVersion)) {
    return failed(
      problem(
        'plan-file-version',
        `the plan has format ${version}; this Rampart reads ${planFormatVersion}`,
        {
          place,
          hint,
        },
      ),
    );
  }
  const parsed = planDocumentSchema.safeParse(document);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.join('.') || 'the top level';
    return failed(
      problem('plan-file-invalid', `this is not a plan file: ${where}: ${issue?.message}`, { place, hint }),
    );
  }
  const { checksum, ...body } = document as { readonly checksum: string };
  if (checksum !== checksumOf(body)) {
    return failed(
      problem('plan-file-checksum', 'the plan file was changed after it was made', { place, hint }),
    );
  }
  return ok(fromDocument(body) as Plan);
}

function checksumOf(document: unknown): string {
  const plan = document as Readonly<Record<string, unknown>>;
  const parts = covered.map((key) => [key, plan[key]] as const).filter(([, part]) => part !== undefined);
  const problems = (plan['problems'] as readonly { readonly severity: string }[]) ?? [];
  const errors = problems.filter(({ severity }) => severity === 'error');
  return sha256Hex(canonicalJson({ ...Object.fromEntries(parts), errors }));
}

function versionOf(document: unknown): string | undefined {
  const version = (document as { readonly format_version?: unknown } | null)?.format_version;
  return typeof version === 'string' ? version : undefined;
}

function major(version: string): string {
  return version.split('.')[0] ?? '';
}
