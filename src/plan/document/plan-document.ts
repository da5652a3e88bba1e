import { sha256HexOf } from '../../lib/hash.ts';
import { issueWords } from '../../lib/issue-words.ts';
import { jsonPieces } from '../../lib/json-pieces.ts';
import { problem } from '../../problem/problem.ts';
import { failed, ok, type Result } from '../../problem/result.ts';
import { pendingCounts } from '../pending-installs.ts';
import { type Plan, planFormatVersion, type Step, type StepKind, type Summary } from '../plan.ts';
import { fromDocument, toDocument, toDocumentKey } from './document-names.ts';
import { planDocumentSchema } from './plan-schema.ts';

/**
 * What the checksum covers: what will be done, to whom, by whose leave, and what stands in the way. Counts of hosts
 * that the plan leaves alone, times and forecasts are not in it, so that an enrolment elsewhere changes no approval.
 */
const covered: ReadonlySet<string> = new Set([
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
]);

/** The plan as its JSON document: snake_case, host ids as decimal strings, with its checksum. */
export function toPlanDocument(plan: Plan): Readonly<Record<string, unknown>> {
  return { ...(toDocument(plan) as object), checksum: planChecksum(plan) };
}

/** The document as text; the same plan gives the same bytes. */
export function printPlan(plan: Plan): string {
  return [...planPieces(plan)].join('');
}

/** The same in pieces: the document of a million changes is longer than any text can be. */
export function* planPieces(plan: Plan): Generator<string> {
  yield* jsonPieces({ ...plan, checksum: planChecksum(plan) }, { spell: toDocumentKey, lines: true });
  yield '\n';
}

/** What a reviewer agrees to, in 64 hexadecimal digits. */
export function planChecksum(plan: Plan): string {
  return checksumOf(plan, toDocumentKey);
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
  const plan = fromDocument(body) as Plan;
  return ok({
    ...plan,
    summary: { ...plan.summary, ...changesOf(plan.steps), ...pendingCounts(plan.pendingInstalls) },
  });
}

/** The checksum does not cover the sums, and a reader relies on them: a plan without deletions shows none. */
function changesOf(steps: readonly Step[]): Pick<Summary, StepKind> {
  const changes = { rename: 0, park: 0, move: 0, antivirus: 0, refresh: 0, delete: 0 };
  for (const step of steps) changes[step.kind] += 'hosts' in step ? step.hosts.length : 1;
  return changes;
}

/** Of a plan, or of its document as it was read: `spell` gives the keys of the document. */
function checksumOf(plan: object, spell = (key: string) => key): string {
  const parts = Object.keys(plan).filter((key) => covered.has(spell(key)));
  const { problems = [] } = plan as { readonly problems?: readonly { readonly severity: string }[] };
  const errors = problems.filter(({ severity }) => severity === 'error');
  const body = plan as Readonly<Record<string, unknown>>;
  const approved = Object.fromEntries(parts.map((key) => [key, body[key]]));
  return sha256HexOf(jsonPieces({ ...approved, errors }, { spell, sorted: true }));
}

function versionOf(document: unknown): string | undefined {
  const version = (document as { readonly format_version?: unknown } | null)?.format_version;
  return typeof version === 'string' ? version : undefined;
}

function major(version: string): string {
  return version.split('.')[0] ?? '';
}
