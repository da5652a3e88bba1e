import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withInstallLock } from '../../bin/install-lock.mjs';

const pace = { beat: 10, silence: 200 };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rampart-lock-'));
  file = join(folder, 'cache', 'setup.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const quiet = () => {};

test('concurrent callers get it one after another', async () => {
  let inside = 0;
  let most = 0;
  const turns = Array.from({ length: 8 }, () =>
    withInstallLock(
      file,
      quiet,
      async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside -= 1;
      },
      pace,
    ),
  );
  await Promise.all(turns);
  expect(most).toBe(1);
  expect(readdirSync(join(folder, 'cache'))).toEqual([]);
});

test('one that was left behind is broken by only one of the waiting callers', async () => {
  await withInstallLock(file, quiet, async () => {}, pace);
  writeFileSync(file, 'somebody who died');
  let inside = 0;
  let most = 0;
  const turn = () =>
    withInstallLock(
      file,
      quiet,
      async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 20));
        inside -= 1;
      },
      pace,
    );
  await Promise.all([turn(), turn(), turn()]);
  expect(most).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test('it is released when the work fails', async () => {
  const work = () => Promise.reject(new Error('the work'));
  await expect(withInstallLock(file, quiet, work, pace)).rejects.toThrow('the work');
  expect(existsSync(file)).toBe(false);
});
