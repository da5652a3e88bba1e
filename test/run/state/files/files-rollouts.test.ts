import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ok, problem } from '../../../../src/core/problem/problem.ts';
import { filesRollouts } from '../../../../src/run/state/files/files-rollouts.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { givenLease } from '../../../given/lease.ts';
import { givenEvents, givenRollout } from '../../../given/rollouts.ts';
import { fileError, traced } from '../../../given/traced-files.ts';

const head = givenRollout();
const { rollout_id: id } = head;
const begun = givenEvents(['begun']);

let folder: string;
let stateDir: string;
let rollouts: ReturnType<typeof filesRollouts>;
beforeEach(async () => {
  folder = givenFolder();
  stateDir = join(folder, 'state');
  rollouts = filesRollouts(stateDir);
});

const pathOf = (...parts: readonly string[]) => join(stateDir, 'rollouts', id, ...parts);
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const writes = (operations: readonly string[]) =>
  operations.filter((each) => !/^(?:open|close|sync|writeFile|link) /.test(each));

describe('a rollout in a folder', () => {
  it('has folders for their owner only, which are created before its head', async () => {
    const { operations, result } = await traced(() => rollouts.create(head));
    expect(result).toMatchObject({ value: ok(null) });
    expect(operations.filter((each) => each.endsWith('not awaited'))).toEqual([]);
    expect([await modeOf(pathOf('plans')), await modeOf(pathOf('entries'))]).toEqual([0o700, 0o700]);
    expect((await rollouts.create(head)).problems).toMatchObject([
      { code: 'journal', message: `there is already a rollout ${id}` },
    ]);
  });

  it('keeps the plan of each account', async () => {
    await rollouts.create(head);
    const { operations } = await traced(() => rollouts.savePlan(id, 'a', 'ä'));
    expect(writes(operations)).toHaveLength(1);
    expect(operations.filter((each) => each.endsWith('not awaited'))).toEqual([]);
    expect(await rollouts.readPlan(id, 'a')).toEqual(ok('ä'));
    expect(await rollouts.readPlan(id, 'b')).toEqual(ok(null));
    const { result } = await traced(
      () => rollouts.readPlan(id, 'a'),
      () => {
        throw fileError('EIO');
      },
    );
    expect(result).toMatchObject({ value: { ok: false, problems: [{ code: 'journal' }] } });
  });

  it('has more entries than are read at the same time', async () => {
    await rollouts.create(head);
    expect(await rollouts.read(id)).toEqual(ok({ head, events: [], revision: 0 }));
    for (let revision = 0; revision < 65; revision += 1)
      expect(await rollouts.append(id, revision, begun)).toEqual(ok(true));
    expect(await rollouts.append(id, 64, begun)).toEqual(ok(false));
    const read = await rollouts.read(id);
    expect(read).toMatchObject({ ok: true, value: { revision: 65 } });
    expect(read.ok && read.value?.events).toHaveLength(65);
  });

  it.each([
    ['may be lost', { refusal: () => problem('lock-lost', 'frozen') }],
    ['is lost', { confirm: async () => false }],
  ])('accepts no entry if the lock of its writer %s', async (_what, parts) => {
    await rollouts.create(head);
    const lost = await rollouts.append(id, 0, begun, { ...givenLease(), ...parts });
    expect(lost.problems).toMatchObject([{ code: 'lock-lost' }]);
    expect(await rollouts.append(id, 0, begun, givenLease())).toEqual(ok(true));
  });

  it('is a problem if a file of it is damaged', async () => {
    await rollouts.create(head);
    await rollouts.append(id, 0, begun);
    for (const text of ['{', '[]']) {
      await writeFile(pathOf('entries', '00000001.json'), text);
      expect((await rollouts.read(id)).problems).toMatchObject([
        {
          code: 'journal',
          message: `the rollout record ${pathOf('entries', '00000001.json')} is damaged, or another version of Rampart wrote it`,
          hint: expect.any(String),
        },
      ]);
    }
    await writeFile(pathOf('head.json'), '{}');
    expect((await rollouts.read(id)).problems[0]?.message).toContain('head.json');
  });

  it('is not read outside of its folder', async () => {
    await rollouts.create(head);
    expect(await rollouts.read(`../rollouts/${id}`)).toEqual(ok(null));
    expect(await rollouts.read(id)).toMatchObject({ value: { revision: 0 } });
  });

  it('is listed with others, latest first, and removed', async () => {
    expect(await rollouts.list()).toEqual(ok([]));
    const ids = ['b', 'f', 'c', 'a', 'e', 'd'];
    for (const each of ids) await rollouts.create({ ...head, rollout_id: each });
    expect(await rollouts.list()).toEqual(ok(ids.toSorted().toReversed()));
    expect(await rollouts.remove(['d', 'e', 'f', 'missing'])).toEqual(ok(null));
    const { operations, result } = await traced(() => rollouts.remove(['a', 'b']));
    expect(result).toMatchObject({ value: ok(null) });
    expect(operations).toEqual(['rm a', 'rm b']);
    expect(await rollouts.list()).toEqual(ok(['c']));
  });

  it("is a problem with a hint if its folder can't be used", async () => {
    await mkdir(stateDir);
    await writeFile(join(stateDir, 'rollouts'), '');
    for (const { ok: isOk, problems } of [await rollouts.list(), await rollouts.create(head)]) {
      expect(isOk).toBe(false);
      expect(problems).toMatchObject([
        { code: 'journal', message: expect.stringContaining('ENOTDIR'), hint: expect.any(String) },
      ]);
    }
  });
});
