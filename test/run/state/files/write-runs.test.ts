import { beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../../../src/core/problem/problem.ts';
import { importRun, removeRuns } from '../../../../src/run/state/files/write-runs.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { runFilesIn } from '../../../given/run-files.ts';
import { givenRun } from '../../../given/runs.ts';
import { fileError, traced } from '../../../given/traced-files.ts';

const run = givenRun(1);
const file = `${run.head.run_id}.ndjson`;

let stateDir: string;
beforeEach(() => {
  stateDir = givenFolder();
});

describe('importing a run into a folder', () => {
  it('leaves a run alone that is there, and imports one that was removed meanwhile', async () => {
    const known = new Set([run.head.run_id]);
    expect(await importRun(stateDir, run, known)).toEqual(ok(true));
    expect(await importRun(stateDir, run, known)).toEqual(ok(false));
    expect(runFilesIn(stateDir)).toHaveLength(1);
  });

  it('leaves a run alone that another process imports at the same moment', async () => {
    const { result } = await traced(
      () => importRun(stateDir, run, new Set()),
      (operation, name) => {
        if (operation === 'open' && name === file) throw fileError('EEXIST');
      },
    );
    expect(result).toMatchObject({ value: ok(false) });
  });

  it('leaves nothing behind if it fails', async () => {
    const { result } = await traced(
      () => importRun(stateDir, run, new Set()),
      (operation) => {
        if (operation === 'datasync') throw fileError('ENOSPC');
      },
    );
    expect(result).toMatchObject({
      value: { ok: false, problems: [{ code: 'journal', message: expect.stringContaining('ENOSPC') }] },
    });
    expect(runFilesIn(stateDir)).toEqual([]);
  });
});

describe('removing runs from a folder', () => {
  const removing = (code: string) =>
    traced(
      () => removeRuns(stateDir, [run.head.run_id]),
      (operation) => {
        if (operation === 'rm') throw fileError(code);
      },
    );

  it('does not count a run that another process removes at the same moment', async () => {
    await importRun(stateDir, run, new Set());
    expect((await removing('ENOENT')).result).toMatchObject({ value: ok(0) });
  });

  it("says which run can't be removed", async () => {
    await importRun(stateDir, run, new Set());
    expect((await removing('EACCES')).result).toMatchObject({
      value: {
        ok: false,
        problems: [
          { code: 'journal', message: expect.stringContaining(`${file} can't be removed (EACCES)`) },
        ],
      },
    });
  });
});
