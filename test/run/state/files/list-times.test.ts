import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../../src/core/problem/problem.ts';
import { openFilesState } from '../../../../src/run/state/files/files-state.ts';
import { readListTimes, saveListTimes } from '../../../../src/run/state/files/list-times.ts';
import { at } from '../../../given/fleet.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { traced } from '../../../given/traced-files.ts';

const account = { companyId: '42', service: 'https://service.example' };

let folder: string;
let stateDir: string;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) });
  folder = givenFolder();
  stateDir = join(folder, 'state');
});
afterEach(() => void vi.useRealTimers());

describe('the list times in a folder', () => {
  it('are those that were saved, even in the same millisecond', async () => {
    const times = [
      { action: 'listHosts', ageMs: 0, everyMs: 60_000 },
      { action: 'listGroups', ageMs: 5_000, everyMs: null },
    ];
    const { operations } = await traced(() => saveListTimes(stateDir, account, times));
    expect(operations.filter((each) => each.endsWith('not awaited'))).toEqual([]);
    expect(await readListTimes(stateDir, account)).toEqual(times);
    expect(await openFilesState(stateDir).listTimes(account)).toEqual(ok(times));
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
  });

  it("are a problem if they can't be saved", async () => {
    await writeFile(stateDir, '');
    const saved = await openFilesState(stateDir).saveListTimes(account, []);
    expect(saved.problems).toMatchObject([
      { code: 'journal', message: `the folder ${stateDir} can't be written (EEXIST)` },
    ]);
  });

  it('have no time in the future', async () => {
    await saveListTimes(stateDir, account, [{ action: 'listHosts', ageMs: 0, everyMs: 60_000 }]);
    vi.setSystemTime(Date.parse(at) - 1);
    expect(await readListTimes(stateDir, account)).toEqual([]);
  });
});
