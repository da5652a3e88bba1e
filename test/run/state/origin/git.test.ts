import { execFileSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../../src/run/state/origin/git.ts';
import { givenFolder } from '../../../given/given-folder.ts';

it('runs no program that the settings of an unpacked repository configure for watching files', async () => {
  const cwd = givenFolder();
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
