import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../../../core/lib/error-code.ts';
import { parseJson } from '../../../core/lib/parse-json.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { unzipText, zipText } from '../journal/zip-text.ts';
import { leaseLost } from '../lease/lease.ts';
import type { RolloutLog } from '../rollout/rollout.ts';
import {
  damagedRolloutHint,
  type RolloutEvent,
  rolloutEntrySchema,
  rolloutHeadSchema,
} from '../rollout/rollout-record.ts';
import type { RolloutStore } from '../rollout/rollout-store.ts';
import { createExclusively, ifThere, modifiedAt, readIfThere } from './lock-file.ts';
import { makeFolder, replaceFile } from './replace-file.ts';
import { stateFolderHint } from './unwritable.ts';

/**
 * A folder for each rollout: its head, its plans, and one file for each entry. Creating the file of an entry fails if
 * it is there, so two processes never append the same entry.
 */
export function filesRollouts(stateDir: string): RolloutStore {
  const root = join(stateDir, 'rollouts');
  const attempt = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await work();
    } catch (error) {
      return failed(unusable(root, error));
    }
  };
  const folderOf = (rolloutId: string) => join(root, safe(rolloutId));
  const planPath = (rolloutId: string, account: string) =>
    join(folderOf(rolloutId), 'plans', `${createHash('sha256').update(account).digest('hex')}.json.gz`);
  return {
    create: (head) =>
      attempt(async () => {
        const folder = folderOf(head.rollout_id);
        makeFolder(join(folder, 'plans'), 0o700);
        makeFolder(join(folder, 'entries'), 0o700);
        const created = await createExclusively(join(folder, 'head.json'), JSON.stringify(head));
        return created === 'created' ? ok(null) : failed(taken(head.rollout_id));
      }),
    savePlan: (rolloutId, account, text) =>
      attempt(async () => {
        await replaceFile(planPath(rolloutId, account), await zipText(text), { mode: 0o600 });
        return ok(null);
      }),
    readPlan: (rolloutId, account) =>
      attempt(async () => {
        const packed = await ifThere(readFile(planPath(rolloutId, account)));
        return ok(packed === undefined ? null : await unzipText(packed));
      }),
    append: (rolloutId, revision, events, lease) =>
      attempt(async () => {
        const entries = join(folderOf(rolloutId), 'entries');
        const path = join(entries, entryName(revision + 1));
        // Reading ends at the first entry that is missing.
        if (revision > 0 && (await modifiedAt(join(entries, entryName(revision)))) === undefined)
          return ok(false);
        if (lease !== undefined && (lease.refusal() !== undefined || !(await lease.confirm())))
          return failed(leaseLost());
        return ok((await createExclusively(path, JSON.stringify(events))) === 'created');
      }),
    read: (rolloutId) => attempt(() => readRollout(folderOf(rolloutId))),
    list: () =>
      attempt(async () => {
        const names = (await ifThere(readdir(root))) ?? [];
        return ok(names.toSorted((a, b) => (a < b ? 1 : -1)));
      }),
    remove: (rolloutIds) =>
      attempt(async () => {
        for (const each of rolloutIds) await rm(folderOf(each), { recursive: true, force: true });
        return ok(null);
      }),
  };
}

/** How many entries are read at the same time. */
const atOnce = 64;

async function readRollout(folder: string): Promise<Result<RolloutLog | null>> {
  const text = await readIfThere(join(folder, 'head.json'));
  if (text === undefined) return ok(null);
  const head = rolloutHeadSchema.safeParse(parseJson(text)).data;
  if (head === undefined) return failed(damaged(join(folder, 'head.json')));
  const events: RolloutEvent[] = [];
  for (let from = 1; ; from += atOnce) {
    const paths = Array.from({ length: atOnce }, (_, at) => join(folder, 'entries', entryName(from + at)));
    const texts = await Promise.all(paths.map((path) => readIfThere(path)));
    for (const [at, entry] of texts.entries()) {
      if (entry === undefined) return ok({ head, events, revision: from + at - 1 });
      const more = rolloutEntrySchema.safeParse(parseJson(entry)).data;
      if (more === undefined) return failed(damaged(paths[at] ?? folder));
      events.push(...more);
    }
  }
}

function entryName(number: number): string {
  return `${String(number).padStart(8, '0')}.json`;
}

/** An id from the command line never leaves the folder. */
function safe(rolloutId: string): string {
  return /^[\w-]+$/.test(rolloutId) ? rolloutId : 'none';
}

function taken(rolloutId: string): Problem {
  return problem('journal', `there is already a rollout ${rolloutId}`);
}

function damaged(path: string): Problem {
  return problem('journal', `the rollout record ${path} is damaged, or another version of Rampart wrote it`, {
    hint: damagedRolloutHint,
  });
}

function unusable(path: string, error: unknown): Problem {
  return problem('journal', `the rollouts in ${path} can't be read or written (${reasonOf(error)})`, {
    hint: stateFolderHint(error),
  });
}
