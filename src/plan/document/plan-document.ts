import { canonicalPieces } from '../../lib/canonical-json.ts';
import { sha256HexOf } from '../../lib/hash.ts';
import { issueWords } from '../../lib/issue-words.ts';
import { jsonPieces } from '../../lib/json-pieces.ts';
import { problem } from '../../problem/problem.ts';
import { failed, ok, type Result } from '../../problem/result.ts';
import { type Plan, planFormatVersion } from '../plan.ts';
import { fromDocument, toDocument, toDocumentKey } from './document-names.ts';
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
  return [...planPieces(plan)].join('');
}

/** The same in pieces: the document of a million changes is longer than any text can be. */
export function* planPieces(plan: Plan): Generator<string> {
  const checksum = planChecksum(plan);
  yield* jsonPieces({ ...shallowDocument(plan), checksum }, toDocument);
  yield '\n';
}

/** What a reviewer agrees to, in 64 hexadecimal digits. */
export function planChecksum(plan: Plan): string {
  return checksumOf(shallowDocument(plan), toDocument);
}

/** Lists keep our spelling, so that their items can be respelled one at a time. */
function shallowDocument(plan: Plan): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(plan).flatMap(([key, value]) =>
      value === undefined ? [] : [[toDocumentKey(key), Array.isArray(value) ? value : toDocument(value)]],
    ),
  );
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
    const why = parsed.error.issues.slice(0, 1).map(issueWords).join();
    return failed(problem('plan-file-invalid', `this is not a plan file: ${why}`, { place, hint }));
  }
  const { checksum, ...body } = document as { readonly checksum: string };
  if (checksum !== checksumOf(body)) {
    return failed(
      problem('plan-file-checksum', 'the plan file was changed after it was made', { place, hint }),
    );
  }
  return ok(fromDocument(body) as Plan);
}

function checksumOf(document: unknown, toItem?: (item: unknown) => unknown): string {
  const plan = document as Readonly<Record<string, unknown>>;
  const parts = covered.map((key) => [key, plan[key]] as const).filter(([, part]) => part !== undefined);
  const problems = (plan['problems'] as readonly { readonly severity: string }[]) ?? [];
  const errors = problems.filter(({ severity }) => severity === 'error');
  return sha256HexOf(canonicalPieces({ ...Object.fromEntries(parts), errors }, toItem));
}

function versionOf(document: unknown): string | undefined {
  const version = (document as { readonly format_version?: unknown } | null)?.format_version;
  return typeof version === 'string' ? version : undefined;
}

function major(version: string): string {
  return version.split('.')[0] ?? '';
}
