import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlansFolder } from '../../../src/accounts/plans/create-plans-folder.ts';
import { isPlanFileName, planFileName } from '../../../src/accounts/plans/plan-file-name.ts';
import { isPlansPath, openPlans, toPlansIndex } from '../../../src/accounts/plans/plans-index.ts';
import { reportAccount } from '../../../src/accounts/plans/report-account.ts';
import { printPlan } from '../../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { headOf, reportOf, reviewOf } from '../../given/account-plans.ts';
import { newFolder } from '../../given/folder.ts';
import { givenPlan } from '../../given/plan.ts';

const rename = (to: string) => givenPlan({ hosts: [{ id: 1, name: 'A' }], entries: [{ id: 1, name: to }] });

describe('a folder of plans', () => {
  const opened = async (path: string) => {
    const plans = await openPlans(path, 'plans');
    if (!plans.ok) throw new Error(plans.problems[0]?.message);
    return plans.value;
  };

  it('gives back the plans that were saved in it', async () => {
    const path = await savedFolder({ berlin: rename('B'), Munich: rename('C') });
    const plans = await opened(path);
    expect(await plans.readPlan('Munich')).toEqual({ ok: true, value: rename('C'), problems: [] });
    expect((await readdir(path)).sort()).toEqual(['Munich.plan.json', 'berlin.plan.json', 'index.json']);
    expect((await openPlans(join(path, 'index.json'), 'plans/index.json')).ok).toBe(true);
  });

  it('refuses a plan file with any character of it changed', async () => {
    const path = await savedFolder({ berlin: rename('B') });
    const plans = await opened(path);
    const file = join(path, 'berlin.plan.json');
    const text = await readFile(file, 'utf8');
    for (let at = 0; at < text.length; at += 29) {
      await writeFile(file, `${text.slice(0, at)}${text[at] === ' ' ? '\n' : ' '}${text.slice(at + 1)}`);
      expect((await plans.readPlan('berlin')).ok, String(at)).toBe(false);
    }
  });

  it('is checked as a whole: each file must match the index', async () => {
    const path = await savedFolder({ berlin: rename('B'), munich: rename('C') });
    const plans = await openPlans(join(path, 'index.json'), 'plans/index.json');
    if (!plans.ok) throw new Error('not opened');
    expect(await plans.value.checkFiles()).toMatchObject({ ok: true });
    await writeFile(join(path, 'munich.plan.json'), printPlan(rename('D')));
    expect(await plans.value.checkFiles()).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'plan-file-checksum',
          message: 'plans/munich.plan.json is not the plan that plans/index.json lists',
        },
      ],
    });
    expect(await plans.value.readPlan('munich')).toMatchObject({
      problems: [{ code: 'plan-file-checksum' }],
    });
    await rm(join(path, 'munich.plan.json'));
    const missing = [{ code: 'file-missing', message: 'the file plans/munich.plan.json does not exist' }];
    expect(await plans.value.checkFiles()).toMatchObject({ ok: false, problems: missing });
    expect(await plans.value.readPlan('munich')).toMatchObject({ ok: false, problems: missing });
    await mkdir(join(path, 'munich.plan.json'));
    expect(await plans.value.readPlan('munich')).toMatchObject({ problems: [{ code: 'file-unreadable' }] });
  });

  it('has no plan for an account that is unknown or could not be planned', async () => {
    const path = await savedFolder({ berlin: rename('B') });
    const plans = await opened(path);
    for (const name of ['oslo', 'unreachable'])
      expect(await plans.readPlan(name)).toMatchObject({
        ok: false,
        problems: [
          {
            code: 'plan-file-invalid',
            message: `plans/index.json does not name a plan file for the account "${name}"`,
          },
        ],
      });
  });

  it.each([
    ['company', { company_id: '99' }],
    ['service', { service: 'https://other.example.com' }],
  ])('refuses a plan whose %s differs from the index', async (_, changes) => {
    const path = await savedFolder({ berlin: rename('B') }, undefined, changes);
    const plans = await openPlans(path, 'plans');
    const read = plans.ok ? await plans.value.readPlan('berlin') : plans;
    expect(read).toMatchObject({ ok: false, problems: [{ code: 'plan-file-checksum' }] });
  });

  it('refuses a file that is not a plan, and a folder without an index', async () => {
    const path = await savedFolder({ berlin: rename('B') });
    const plans = await openPlans(path, 'plans');
    await writeFile(join(path, 'berlin.plan.json'), '{}');
    expect(plans.ok && (await plans.value.readPlan('berlin')).ok).toBe(false);
    const empty = newFolder();
    expect(await openPlans(empty, 'plans')).toMatchObject({
      ok: false,
      problems: [{ code: 'file-missing', message: 'the file plans/index.json does not exist' }],
    });
  });

  it('is recognized by its path: a folder or an index, never a plan file', async () => {
    const path = await savedFolder({ berlin: rename('B') });
    const paths = [path, join(path, 'index.json'), join(path, 'berlin.plan.json'), join(path, 'gone')];
    expect(await Promise.all(paths.map(isPlansPath))).toEqual([true, true, false, false]);
    expect(await isPlansPath(join(path, 'gone', 'index.json'))).toBe(true);
  });

  it('reads a plan that is being saved', async () => {
    const path = await savedFolder({});
    const folder = await createPlansFolder(path, 'plans', []);
    if (!folder.ok) throw new Error('not made');
    await folder.value.savePlan('berlin', rename('B'));
    expect(await folder.value.readPlan('berlin')).toEqual({ ok: true, value: rename('B'), problems: [] });
    expect(await folder.value.readPlan('oslo')).toMatchObject({
      ok: false,
      problems: [{ code: 'file-missing', message: 'the file plans/oslo.plan.json does not exist' }],
    });
  });

  it("can't be created in place of a file, and says so", async () => {
    const path = await savedFolder({});
    expect(await createPlansFolder(join(path, 'index.json', 'x'), 'plans', [])).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'file-not-written',
          message: "plans can't be written (ENOTDIR: a part of the path is not a folder)",
        },
      ],
    });
  });

  it.each([
    '{}',
    'null',
    '{"format_version":"1.0"}',
    '{"accounts":[]}',
    '{"format_version":1,"accounts":[]}',
  ])('is not created in a folder whose index.json is %s', async (content) => {
    const path = newFolder();
    await writeFile(join(path, 'index.json'), content);
    expect(await createPlansFolder(path, 'plans', [])).toMatchObject({
      ok: false,
      problems: [{ code: 'usage' }],
    });
  });

  it('keeps files of others that appear while plans are being saved', async () => {
    const path = await savedFolder({ berlin: rename('B') });
    const folder = await createPlansFolder(path, 'plans', []);
    await writeFile(join(path, 'notes.txt'), 'keep');
    if (folder.ok) await folder.value.saveIndex(toPlansIndex(reviewOf([reportOf('unreachable')])));
    expect((await readdir(path)).sort()).toEqual(['index.json', 'notes.txt']);
  });

  it('replaces earlier plans, and removes those of accounts that are not planned anymore', async () => {
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
    it(`is not created in a folder with ${name} of another program, and changes nothing in it`, async () => {
      const path = newFolder();
      await add(path);
      const before = await readFile(join(path, name), 'utf8');
      const folder = await createPlansFolder(path, 'plans', []);
      expect(folder.problems[0]?.message).toBe(
        `plans holds other files, such as "${name}", so plans are not saved there`,
      );
      expect(await readFile(join(path, name), 'utf8')).toBe(before);
    });
  }

  it('is not created for accounts whose names differ only in capitals', async () => {
    const folder = await createPlansFolder(join(tmpdir(), 'rampart-plans-unused'), 'plans', [
      'Berlin',
      'berlin',
    ]);
    expect(folder.problems[0]?.code).toBe('usage');
    expect(folder.problems[0]?.message).toBe(
      'the plans of "Berlin" and "berlin" can\'t be saved in one folder: only capitals differ',
    );
  });

  it('is not created over earlier plans that are mixed with other files', async () => {
    const path = await savedFolder({ berlin: rename('B') });
    await mkdir(join(path, 'munich.plan.json'));
    expect((await createPlansFolder(path, 'plans', [])).ok).toBe(false);
  });
});

it('gives each account a file name of its own', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), (one, other) => {
      fc.pre(one !== other && one.isWellFormed() && other.isWellFormed());
      const name = planFileName(one);
      expect(isPlanFileName(name)).toBe(true);
      expect(name).not.toBe(planFileName(other));
    }),
  ));

it.each([
  ['berlin.plan.json', true],
  ['%2e.plan.json', true],
  ['.plan.json', false],
  ['.x.plan.json', false],
  ['berlin.json', false],
  ['a b.plan.json', false],
  ['../x.plan.json', false],
])('for the name "%s", it is %s that the file is a plan', (name, isPlan) =>
  expect(isPlanFileName(name)).toBe(isPlan),
);

async function savedFolder(
  plans: Readonly<Record<string, Plan>>,
  given?: string,
  changes: Partial<ReturnType<typeof headOf>> = {},
): Promise<string> {
  const path = given ?? join(newFolder(), 'plans');
  const folder = await createPlansFolder(path, 'plans', Object.keys(plans));
  if (!folder.ok) throw new Error(folder.problems[0]?.message);
  const reports = [];
  for (const [name, plan] of Object.entries(plans)) {
    const saved = await folder.value.savePlan(name, plan);
    const file = saved.ok ? { file: saved.value } : {};
    reports.push(
      reportAccount({ account: { ...headOf(name), ...changes }, exitCode: 0, plan, ...file, problems: [] }),
    );
  }
  const index = toPlansIndex(reviewOf([...reports, reportOf('unreachable')]));
  const ended = await folder.value.saveIndex(index);
  if (!ended.ok) throw new Error(ended.problems[0]?.message);
  return path;
}
