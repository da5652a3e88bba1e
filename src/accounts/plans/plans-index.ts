import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../../core/lib/canonical-json.ts';
import { sha256HexOf } from '../../core/lib/hash.ts';
import { sha256Id } from '../../core/lib/hex-ids.ts';
import { issueWords } from '../../core/lib/issue-words.ts';
import { jsonPieces } from '../../core/lib/json-pieces.ts';
import { keyFault } from '../../core/lib/key-fault.ts';
import { parseJson } from '../../core/lib/parse-json.ts';
import { quoted } from '../../core/lib/words.ts';
import { planChecksum, readPlan } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { type PlansReview, plansReviewSchema } from '../../output/review/plans-review.ts';
import { readBytes } from '../../run/state/files/read-bytes.ts';
import { planFileName } from './plan-file-name.ts';
import { sumAccounts } from './review-accounts.ts';

/** The name of the index in a folder of plans. */
export const indexName = 'index.json';

const formatVersion = '2.0';

/** The index of a folder into which plans are being saved. No reader accepts it. */
export const unfinishedIndex = `${JSON.stringify({ format_version: formatVersion, unfinished: true, accounts: [] })}\n`;

/** The index of saved plans, format 2. */
const plansIndexSchema = z.strictObject({
  format_version: z.literal(formatVersion),
  ...plansReviewSchema.shape,
  checksum: z
    .string()
    .regex(sha256Id)
    .describe('SHA-256 of every other member, and so of the checksum and the bytes of each plan file.'),
});

/** What was reviewed. The checksum covers all of it. */
export interface PlansIndex {
  readonly review: PlansReview;
  readonly checksum: string;
}

/** Seals a review. The schema also puts its members into their order, so that equal reviews give equal bytes. */
export function toPlansIndex(given: PlansReview): PlansIndex {
  const review = plansReviewSchema.parse(given);
  return { review, checksum: checksumOf({ format_version: formatVersion, ...review }) };
}

/** The index as text, in pieces; the same review gives the same bytes. */
export function* plansIndexPieces({ review, checksum }: PlansIndex): Generator<string> {
  yield* jsonPieces({ format_version: formatVersion, ...review, checksum }, { lines: true });
  yield '\n';
}

/** What is read of an index before its schema: another version may have written it. */
interface IndexHead {
  readonly format_version?: unknown;
  readonly unfinished?: unknown;
}

/** Reads an index. Refuses one that was edited or that another version wrote. */
export function readPlansIndex(text: string, file: string): Result<PlansIndex> {
  const place = { file, line: 1, col: 1 };
  const hint = 'create the plans again: rampart plan --accounts … --out FOLDER';
  const refuse = (code: 'plan-file-invalid' | 'plan-file-version' | 'plan-file-checksum', message: string) =>
    failed(problem(code, message, { place, hint }));
  const document = parseJson(text) as IndexHead | null | undefined;
  if (document === undefined)
    return refuse('plan-file-invalid', 'the file is not an index of plans: it is not JSON');
  // The schema refuses unknown keys; the keys of labels are data.
  const fault = keyFault(text);
  if (fault !== undefined) return refuse('plan-file-invalid', fault.message);
  const version = document?.format_version;
  if (typeof version === 'string' && version !== formatVersion) {
    return refuse(
      'plan-file-version',
      `the index has format ${quoted(version)}; this version of Rampart reads format ${formatVersion}`,
    );
  }
  if (document?.unfinished === true)
    return refuse('plan-file-invalid', 'the plans are incomplete: planning ended before it saved the index');
  const parsed = plansIndexSchema.safeParse(document);
  if (!parsed.success) {
    const why = parsed.error.issues.slice(0, 1).map(issueWords).join();
    return refuse('plan-file-invalid', `the file is not an index of plans: ${why}`);
  }
  const { checksum, ...body } = parsed.data;
  if (checksum !== checksumOf(body))
    return refuse('plan-file-checksum', 'the index of plans was modified after it was created');
  const { format_version: _, ...review } = body;
  const member = disagreement(review);
  if (member === undefined) return ok({ review, checksum });
  return refuse('plan-file-checksum', `"${member}" does not match the accounts of the index`);
}

/**
 * The same for plans of the same changes to the same accounts: unlike the checksum, it covers neither the time at which
 * they were made nor accounts without a plan to apply.
 */
export function changesDigest({ review }: PlansIndex): string {
  const changes = Object.fromEntries(
    review.accounts.flatMap(({ account, outcome, plan }) =>
      plan === undefined || outcome === 'no-changes' ? [] : [[account.name, plan.checksum]],
    ),
  );
  return checksumOf(changes);
}

/** The JSON Schema (draft 2020-12) of the index. */
export function plansJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(plansIndexSchema, { io: 'input' });
  return { $schema, title: 'Rampart: the index of the plans of many accounts, format 2', ...schema };
}

function checksumOf(body: Readonly<Record<string, unknown>>): string {
  return sha256HexOf(jsonPieces(body, { sorted: true }));
}

/**
 * The name of the member of a review that contradicts its accounts; undefined if there is none. A checksum can't replace
 * this check: anyone who edits an index can also compute a checksum.
 */
function disagreement({ accounts, totals }: PlansReview): string | undefined {
  const names = accounts.map(({ account }) => account.name);
  if (new Set(names).size < names.length) return 'accounts';
  if (accounts.some(({ outcome, plan }) => (outcome === 'failed') !== (plan === undefined))) return 'outcome';
  if (accounts.some(({ outcome, plan }) => plan !== undefined && plan.applicable === (outcome === 'refused')))
    return 'applicable';
  const isMisnamed = accounts.some(
    ({ account, plan }) => plan?.file !== undefined && plan.file.name !== planFileName(account.name),
  );
  if (isMisnamed) return 'file';
  return canonicalJson(sumAccounts(accounts)) === canonicalJson(totals) ? undefined : 'totals';
}

/** Saved plans of many accounts. */
export interface SavedPlans {
  readonly index: PlansIndex;
  /** Reads the plan of an account. Refuses a file that is not exactly the one that the index names. */
  readPlan(account: string): Promise<Result<Plan>>;
  /** Are all plan files those that the index names? */
  checkFiles(): Promise<Result<null>>;
}

/** Is this a folder, or the index of a folder of plans? A plan file is neither. */
export async function isPlansPath(path: string): Promise<boolean> {
  if (basename(path) === indexName) return true;
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The index of a folder of plans, or the index itself. */
export function indexFileOf(path: string): string {
  return basename(path) === indexName ? path : join(path, indexName);
}

/** Opens a folder of plans, or its index. `shown` is the path as the user wrote it. */
export async function openPlans(path: string, shown: string): Promise<Result<SavedPlans>> {
  const isIndex = basename(path) === indexName;
  const folder = isIndex ? dirname(path) : path;
  const shownFolder = isIndex ? dirname(shown) : shown;
  const file = indexFileOf(shown);
  const bytes = await readBytes(join(folder, indexName), file);
  const index = bytes.ok ? readPlansIndex(bytes.value.toString('utf8'), file) : bytes;
  if (!index.ok) return index;
  const { accounts } = index.value.review;
  const isNotNamed = (shownFile: string) =>
    failed(
      problem('plan-file-checksum', `${shownFile} is not the plan that ${file} lists`, {
        hint: 'create the plans again: rampart plan --accounts … --out FOLDER',
      }),
    );
  return ok({
    index: index.value,
    async checkFiles() {
      for (const { plan } of accounts) {
        if (plan?.file === undefined) continue;
        const shownFile = join(shownFolder, plan.file.name);
        const content = await readBytes(join(folder, plan.file.name), shownFile);
        if (!content.ok) return content;
        if (hashOf(content.value) !== plan.file.sha256) return isNotNamed(shownFile);
      }
      return ok(null);
    },
    async readPlan(name) {
      const report = accounts.find(({ account }) => account.name === name);
      const saved = report?.plan?.file;
      if (report?.plan === undefined || saved === undefined) {
        return failed(
          problem('plan-file-invalid', `${file} does not name a plan file for the account ${quoted(name)}`),
        );
      }
      const shownFile = join(shownFolder, saved.name);
      const content = await readBytes(join(folder, saved.name), shownFile);
      if (!content.ok) return content;
      const plan = readPlan(content.value.toString('utf8'), shownFile);
      if (!plan.ok) return plan;
      const { company_id, service } = report.account;
      const { account } = plan.value;
      const isNamed =
        hashOf(content.value) === saved.sha256 &&
        planChecksum(plan.value) === report.plan.checksum &&
        account.companyId === company_id &&
        account.service === service;
      return isNamed ? plan : isNotNamed(shownFile);
    },
  });
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
