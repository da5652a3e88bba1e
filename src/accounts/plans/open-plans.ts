import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { quoted } from '../../core/lib/words.ts';
import { planChecksum, readPlan } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { readBytes } from '../../run/state/files/read-bytes.ts';
import { indexName, type PlansIndex, readPlansIndex } from './plans-index.ts';

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
