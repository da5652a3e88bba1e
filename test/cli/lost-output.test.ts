import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../given/folder.ts';
import { programEnvironment as env, program } from '../given/program.ts';

/** Prints the emulated hosts to a file, which may have as many blocks of 512 bytes. */
function hostsIn(blocks: string) {
  const cwd = newFolder();
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$1" hosts --emulator --json > out`;
  const ran = spawnSync('sh', ['-c', script, process.execPath, program], { cwd, env, encoding: 'utf8' });
  return { status: ran.status, err: ran.stderr, out: readFileSync(join(cwd, 'out'), 'utf8') };
}

it('a file that can hold only a part of the output makes the command fail', () => {
  const whole = hostsIn('unlimited');
  expect(whole).toMatchObject({ status: 0, err: '' });
  expect(whole.out.endsWith(']\n')).toBe(true);
  const lost = hostsIn('1');
  expect(lost.status).toBe(1);
  expect(lost.err).toContain("the output can't be written (EFBIG)");
  expect(whole.out.startsWith(lost.out)).toBe(true);
});

it.skipIf(!existsSync('/dev/full')).each(['hosts --emulator --json', '--version'])(
  'a device that takes no output makes rampart %s fail',
  (command) => {
    const script = `exec "$0" "$1" ${command} > /dev/full`;
    const ran = spawnSync('sh', ['-c', script, process.execPath, program], { env, encoding: 'utf8' });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toBe(
      "error[file-not-written]: the output can't be written (ENOSPC: the disk is full)\n",
    );
  },
);
