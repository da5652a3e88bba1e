import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../../../bin/', import.meta.url));

/** Sends the signal to the launcher as soon as it has prepared for it, and again when it ends. */
const signals = `const { on } = process;
process.on = function (name, listener) {
  on.call(process, name, listener);
  if (name === 'SIGUSR1') {
    process.on = on;
    process.kill(process.pid, 'SIGUSR1');
    console.log('sent');
  }
  return process;
};
process.on('exit', () => process.kill(process.pid, 'SIGUSR1'));`;

test.each([
  ['bin/setup.mjs', ['setup.mjs', `${bin}rampart.js`, '--version']],
  ['bin/rampart.js', ['rampart.js', '--version']],
])('%s opens no debugger on SIGUSR1', (_name, [launcher = '', ...argv]) => {
  const preload = `data:text/javascript,${encodeURIComponent(signals)}`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', preload, `${bin}${launcher}`, ...argv],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^sent\n/);
});
