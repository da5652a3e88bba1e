import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../../core/lib/error-code.ts';
import { inChunks } from '../../core/lib/in-chunks.ts';
import { quoted } from '../../core/lib/words.ts';
import { planPieces, readPlan } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { ReportedPlan } from '../../output/review/account-report.ts';
import { readBytes } from '../../run/state/files/read-bytes.ts';
import { makeFolder, replaceFile } from '../../run/state/files/replace-file.ts';
import { isPlanFileName, planFileName } from './plan-file-name.ts';
import { indexName, type PlansIndex, plansIndexPieces, unfinishedIndex } from './plans-index.ts';

/** A folder into which plans are saved, one file for each account. */
export interface PlansFolder {
  /** Returns the name of the file and the SHA-256 of its bytes. */
  savePlan(account: string, plan: Plan): Promise<Result<NonNullable<ReportedPlan['file']>>>;
  /** Reads a plan that was saved. */
  readPlan(account: string): Promise<Result<Plan>>;
  /** Ends the folder: from then on it can be read. Removes the plans that the index does not name. */
  saveIndex(index: PlansIndex): Promise<Result<null>>;
}

/** Two names whose files are the same file if capitals make no difference; undefined if there are none. */
function sharedFile(accounts: readonly string[]): readonly [string, string] | undefined {
  const names = new Map<string, string>();
  for (const account of accounts) {
    const file = planFileName(account).toLowerCase();
    const other = names.get(file);
    if (other !== undefined) return [other, account];
    names.set(file, account);
  }
  return undefined;
}

/**
 * Prepares a folder for plans. It must be new or empty, or contain only earlier plans. An older index becomes invalid
 * at once, so that it never describes newer plans.
 */
export async function createPlansFolder(
  path: string,
  shown: string,
  accounts: readonly string[],
): Promise<Result<PlansFolder>> {
  const shared = sharedFile(accounts);
  if (shared !== undefined) {
    const [one, other] = shared.map(quoted);
    return failed(
      problem('usage', `the plans of ${one} and ${other} can't be saved in one folder: only capitals differ`),
    );
  }
  const notWritten = (error: unknown) =>
    failed(problem('file-not-written', `${shown} can't be written (${reasonOf(error)})`));
  try {
    makeFolder(path);
    const foreign = await foreignEntry(path);
    if (foreign !== undefined) return failed(holdsOthers(shown, foreign));
    await replaceFile(join(path, indexName), unfinishedIndex);
  } catch (error) {
    return notWritten(error);
  }
  return ok({
    async savePlan(account, plan) {
      const name = planFileName(account);
      const hash = createHash('sha256');
      try {
        await replaceFile(join(path, name), hashed(inChunks(planPieces(plan)), hash));
      } catch (error) {
        return notWritten(error);
      }
      return ok({ name, sha256: hash.digest('hex') });
    },
    async readPlan(account) {
      const name = planFileName(account);
      const bytes = await readBytes(join(path, name), join(shown, name));
      return bytes.ok ? readPlan(bytes.value.toString('utf8'), join(shown, name)) : bytes;
    },
    async saveIndex(index) {
      const named = new Set(index.review.accounts.map(({ plan }) => plan?.file?.name));
      try {
        for (const name of await readdir(path)) {
          if (isPlanFileName(name) && !named.has(name)) await rm(join(path, name));
        }
        await replaceFile(join(path, indexName), plansIndexPieces(index));
      } catch (error) {
        return notWritten(error);
      }
      return ok(null);
    },
  });
}

function* hashed(pieces: Iterable<string>, hash: { update(text: string): unknown }): Generator<string> {
  for (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

/** The name of an entry that no earlier planning wrote; undefined if there is none. Plans without an index are foreign. */
async function foreignEntry(path: string): Promise<string | undefined> {
  const entries = await readdir(path, { withFileTypes: true });
  if (entries.length === 0) return undefined;
  const isOurs = await hasIndex(path);
  return entries
    .filter((each) => !isOurs || !each.isFile() || (each.name !== indexName && !isPlanFileName(each.name)))
    .map(({ name }) => name)
    .sort()
    .at(0);
}

/** Is there an index, even an unfinished one or one of another version? */
async function hasIndex(path: string): Promise<boolean> {
  try {
    const index = JSON.parse(await readFile(join(path, indexName), 'utf8')) as Record<string, unknown> | null;
    return index !== null && typeof index['format_version'] === 'string' && Array.isArray(index['accounts']);
  } catch {
    return false;
  }
}

function holdsOthers(shown: string, name: string): Problem {
  return problem(
    'usage',
    `${shown} holds other files, such as ${quoted(name)}, so plans are not saved there`,
    {
      hint: 'choose a new folder, an empty one, or one with earlier plans',
    },
  );
}
