import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { git } from '../../../../src/run/state/origin/git.ts';

it('runs no program that the settings of an unpacked repository configure for watching files', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'rampart-git-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const env = { PATH: process.env['PATH'] };
  execFileSync('git', ['init', '--quiet'], { cwd });
  await writeFile(join(cwd, 'file'), '');
  execFileSync('git', ['add', 'file'], { cwd });
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message=x'],
    { cwd },
  );
  execFileSync('git', ['config', 'core.fsmonitor', 'touch ran #'], { cwd });
  expect(await git(['diff', '--name-only', 'HEAD'], { cwd, env })).toEqual(Buffer.from(''));
  expect(await readdir(cwd)).not.toContain('ran');
});
