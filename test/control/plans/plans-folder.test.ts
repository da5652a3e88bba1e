import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlansFolder } from '../../../src/control/plans/create-plans-folder.ts';
import { openPlans } from '../../../src/control/plans/open-plans.ts';
import { isPlanFileName, planFileName } from '../../../src/control/plans/plan-file-name.ts';
import { toPlansIndex } from '../../../src/control/plans/plans-index.ts';
import { reportAccount } from '../../../src/control/plans/report-account.ts';
import { printPlan } from '../../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { headOf, reportOf, reviewOf } from '../../given/account-plans.ts';
import { givenPlan } from '../../given/plan.ts';

const rename = (to: string) => givenPlan({ hosts: [{ id: 1, name: 'A' }], entries: [{ id: 1, name: to }] });

describe('a folder of plans', () => {
  it('gives back the plans that were saved in it', async () => {
    const path = await savedFolder({ berlin: rename('B'), Munich: rename('C') });
    const plans = await openPlans(path, 'plans');
    if (!plans.ok) throw new Error('not opened');
    expect(await plans.value.readPlan('Munich')).toEqual({ ok: true, value: rename('C'), problems: [] });
    expect((await readdir(path)).sort()).toEqual(['Munich.plan.json', 'berlin.plan.json', 'index.json']);
    expect((await openPlans(join(path, 'index.json'), 'plans/index.json')).ok).toBe(true);
  });

  it('refuses a plan file with any character of it changed', async () => {
    const path = await savedFolder({ berlin: rename('B') });
    const plans = await openPlans(path, 'plans');
    if (!plans.ok) throw new Error('not opened');
    const file = join(path, 'berlin.plan.json');
    const text = await readFile(file, 'utf8');
    for (let at = 0; at < text.length; at += 7) {
      await writeFile(file, `${text.slice(0, at)}${text[at] === ' ' ? '\n' : ' '}${text.slice(at + 1)}`);
      expect((await plans.value.readPlan('berlin')).ok, String(at)).toBe(false);
    }
  });

  it('refuses a plan file that another plan replaced', async () => {
    const path = await savedFolder({ berlin: rename('B'), munich: rename('C') });
    await writeFile(join(path, 'berlin.plan.json'), printPlan(rename('C')));
    const plans = await openPlans(path, 'plans');
    const read = plans.ok ? await plans.value.readPlan('berlin') : plans;
    expect(read.problems[0]?.code).toBe('plan-file-checksum');
    expect(read.problems[0]?.message).toBe(
      'plans/berlin.plan.json is not the plan that plans/index.json names',
    );
  });

  it('replaces earlier plans, and removes those of accounts that are not planned any more', async () => {
    const path = await savedFolder({ berlin: rename('B'), munich: rename('C') });
    await savedFolder({ berlin: rename('D') }, path);
    expect((await readdir(path)).sort()).toEqual(['berlin.plan.json', 'index.json']);
  });

  it("can't be opened before its index is saved, even if it held an older one", async () => {
    const path = await savedFolder({ berlin: rename('B') });
    const folder = await createPlansFolder(path, 'plans', []);
    if (folder.ok) await folder.value.savePlan('berlin', rename('C'));
    const plans = await openPlans(path, 'plans');
    expect(plans.problems[0]?.message).toBe(
      'the plans are incomplete: planning ended before it saved the index',
    );
    await savedFolder({ berlin: rename('E') }, path);
    expect((await openPlans(path, 'plans')).ok).toBe(true);
  });

  const others: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
    ['notes.txt', (path) => writeFile(join(path, 'notes.txt'), '')],
    ['berlin.plan.json', (path) => writeFile(join(path, 'berlin.plan.json'), '{}')],
    ['index.json', (path) => writeFile(join(path, 'index.json'), '{"name":"site"}')],
  ];
  for (const [name, add] of others) {
    it(`is not made of a folder with ${name} of someone else, and nothing in it changes`, async () => {
      const path = await mkdtemp(join(tmpdir(), 'rampart-plans-'));
      await add(path);
      const before = await readFile(join(path, name), 'utf8');
      const folder = await createPlansFolder(path, 'plans', []);
      expect(folder.problems[0]?.message).toBe(
        `plans holds other files, such as "${name}", so plans are not saved there`,
      );
      expect(await readFile(join(path, name), 'utf8')).toBe(before);
    });
  }

  it('is not made for accounts whose names differ only in capitals', async () => {
    const folder = await createPlansFolder(join(tmpdir(), 'rampart-plans-unused'), 'plans', [
      'Berlin',
      'berlin',
    ]);
    expect(folder.problems[0]?.message).toBe(
      'the plans of "Berlin" and "berlin" can\'t be saved in one folder: only capitals differ',
    );
  });

  it('is not made of earlier plans with other things among them', async () => {
    const path = await savedFolder({ berlin: rename('B') });
    await mkdir(join(path, 'munich.plan.json'));
    expect((await createPlansFolder(path, 'plans', [])).ok).toBe(false);
  });
});

it('gives each account a file name of its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), (one, other) => {
      fc.pre(one !== other && one.isWellFormed() && other.isWellFormed());
      const name = planFileName(one);
      expect(isPlanFileName(name)).toBe(true);
      expect(name).not.toBe(planFileName(other));
    }),
  );
});

async function savedFolder(plans: Readonly<Record<string, Plan>>, given?: string): Promise<string> {
  const path = given ?? join(await mkdtemp(join(tmpdir(), 'rampart-plans-')), 'plans');
  const folder = await createPlansFolder(path, 'plans', Object.keys(plans));
  if (!folder.ok) throw new Error(folder.problems[0]?.message);
  const reports = [];
  for (const [name, plan] of Object.entries(plans)) {
    const saved = await folder.value.savePlan(name, plan);
    const file = saved.ok ? { file: saved.value } : {};
    reports.push(reportAccount({ account: headOf(name), exitCode: 0, plan, ...file, problems: [] }));
  }
  const index = toPlansIndex(reviewOf([...reports, reportOf('unreachable')]));
  const ended = await folder.value.saveIndex(index);
  if (!ended.ok) throw new Error(ended.problems[0]?.message);
  return path;
}
