import { sha256HexOf } from '../../lib/hash.ts';
import { issueWords } from '../../lib/issue-words.ts';
import { jsonPieces } from '../../lib/json-pieces.ts';
import { type JsonLayout, type JsonWriter, jsonWriter } from '../../lib/json-writer.ts';
import { keyFault } from '../../lib/key-fault.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { failed, ok, problem, type Result } from '../../problem/problem.ts';
import { type Plan, planFormatVersion } from '../types/plan.ts';
import { unsoundness } from '../verify/unsoundness.ts';
import { fromDocument, toDocument, toDocumentKey } from './document-names.ts';
import { planDocumentSchema } from './plan-schema.ts';

/**
 * The fields that the checksum covers: what will be done, to which hosts, with which approval, and what blocks it.
 * Counts of hosts that the plan leaves alone, times and forecasts are not covered, so that an enrollment elsewhere does
 * not invalidate an approval.
 */
const covered: ReadonlySet<string> = new Set([
  'format_version',
  'account',
  'files',
  'steps',
  'breaches',
  'acks',
  'applicable',
  'delete_first',
  'batch_size',
  'partial',
  'undo',
  'constraints',
]);

/** No checksum covers these: a forecast decides nothing and can be made again, and the digest covers the rest. */
const uncovered: ReadonlySet<string> = new Set(['forecast', 'digest']);
/** Any other spelling of a key could stand for a field in addition to the field itself. */
const keySpelling = /^[a-z][a-z0-9_]*$/;

// The keys of a plan are fixed words, so that one writer serves all plans.
const fileLayout: JsonLayout = { spell: toDocumentKey, lines: true };
const writeFile = jsonWriter(fileLayout);
const sealLayout: JsonLayout = { spell: toDocumentKey, sorted: true };
const writeSealed = jsonWriter(sealLayout);

/** The plan as its JSON document: snake_case, host ids as decimal strings, with its checksum and digest. */
export function toPlanDocument(plan: Plan): Readonly<Record<string, unknown>> {
  return { ...(toDocument(plan) as object), ...sealsOf(plan) };
}

/** The document as text; the same plan gives the same bytes. */
export function printPlan(plan: Plan): string {
  return [...planPieces(plan)].join('');
}

/** The same in pieces: the document of a million changes is longer than the longest string. */
export function* planPieces(plan: Plan): Generator<string> {
  yield* jsonPieces({ ...plan, ...sealsOf(plan) }, fileLayout, writeFile);
  yield '\n';
}

/** A plan is a value, and each painter shows its checksum. Those of large plans take as long as the rest of a page. */
const checksums = new WeakMap<Plan, string>();

/** The checksum of what a reviewer approves, in 64 hexadecimal digits. */
export function planChecksum(plan: Plan): string {
  const known = checksums.get(plan);
  if (known !== undefined) return known;
  const checksum = checksumOf(plan, sealLayout, writeSealed);
  checksums.set(plan, checksum);
  return checksum;
}

/** Reads a plan file. Refuses one that was edited or that another version wrote. */
export function readPlan(text: string, file: string): Result<Plan> {
  const place = { file, line: 1, col: 1 };
  const hint = 'create the plan again: rampart plan --out FILE';
  const document = parseJson(text);
  if (document === undefined) {
    return failed(
      problem('plan-file-invalid', 'the file is not a plan: it is not JSON', {
        place,
        hint: `${hint}. A desired state is passed with -f`,
      }),
    );
  }
  const fault = keyFault(text, { spelling: keySpelling, misspelled: 'is not a key of a plan' });
  if (fault !== undefined) {
    const place = { file, ...placeOf(text, fault.offset) };
    return failed(problem('plan-file-invalid', fault.message, { place, hint }));
  }
  const version = versionOf(document);
  if (version !== undefined && major(version) !== major(planFormatVersion)) {
    return failed(
      problem(
        'plan-file-version',
        `the plan has format ${version}; this version of Rampart reads format ${planFormatVersion}`,
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
    return failed(problem('plan-file-invalid', `the file is not a plan: ${why}`, { place, hint }));
  }
  const { checksum, digest, ...body } = document as { readonly checksum: string; readonly digest: string };
  if (checksum !== checksumOf(body) || digest !== digestOf({ ...body, checksum })) {
    return failed(
      problem('plan-file-checksum', 'the plan file was modified after it was created', { place, hint }),
    );
  }
  const plan = fromDocument(body) as Plan;
  const unsound = unsoundness(plan);
  if (unsound.length > 0) return failed(...unsound.map((each) => ({ ...each, place })));
  checksums.set(plan, checksum);
  return ok(plan);
}

function placeOf(text: string, offset: number): { readonly line: number; readonly col: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, col: offset - before.lastIndexOf('\n') };
}

/** A document as it was read: strangers may have chosen its keys, so no writer keeps them. */
const readLayout: JsonLayout = { sorted: true };
const sameKey = (key: string) => key;

/** Reviewers compare the checksum; the digest ties the rest of the file to it. */
function sealsOf(plan: Plan): { readonly checksum: string; readonly digest: string } {
  const checksum = planChecksum(plan);
  return { checksum, digest: digestOf({ ...plan, checksum }, sealLayout, writeSealed) };
}

/** The digest of every field that the checksum does not cover, and of the checksum itself. */
function digestOf(plan: object, layout = readLayout, write?: JsonWriter): string {
  const { spell = sameKey } = layout;
  const rest = Object.entries(plan).filter(([key]) => {
    const name = spell(key);
    return !covered.has(name) && !uncovered.has(name);
  });
  return sha256HexOf(jsonPieces(Object.fromEntries(rest), layout, write));
}

/** The checksum of a plan, or of its document as read, whose keys are already in that spelling. */
function checksumOf(plan: object, layout = readLayout, write?: JsonWriter): string {
  const { spell = sameKey } = layout;
  const parts = Object.keys(plan).filter((key) => covered.has(spell(key)));
  const { problems = [] } = plan as { readonly problems?: readonly { readonly severity: string }[] };
  const errors = problems.filter(({ severity }) => severity === 'error');
  const body = plan as Readonly<Record<string, unknown>>;
  const approved = Object.fromEntries(parts.map((key) => [key, body[key]]));
  return sha256HexOf(jsonPieces({ ...approved, errors }, layout, write));
}

function versionOf(document: unknown): string | undefined {
  const version = (document as { readonly format_version?: unknown } | null)?.format_version;
  return typeof version === 'string' ? version : undefined;
}

function major(version: string): string {
  return version.split('.')[0] ?? '';
}
