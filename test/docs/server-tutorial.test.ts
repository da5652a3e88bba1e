import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { builtConsole } from '../given/console/built-console.ts';
import { programEnvironment, programFolder } from '../given/program.ts';
import { readFences } from './read-page.ts';

const root = join(import.meta.dirname, '../..');
const fences = readFences(readFileSync(join(root, 'docs/start/server.md'), 'utf8'));

/** Waits until a file has some text, or until a page answers. */
const patience = `
until_ready() { for i in $(seq 600); do "$@" > /dev/null 2>&1 && return; sleep 0.1; done; echo "waited in vain: $*" >&2; exit 9; }
`;

test('following the tutorial of the server exactly works in a shell', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-tutorial-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const main = await mainOfArchive(folder);
  writeFileSync(join(folder, 'rampart'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
    mode: 0o755,
  });
  const steps = fences.filter(({ language }) => language === 'sh').map(({ text }) => text);
  expect(steps).toHaveLength(6);
  const [start = '', read = '', metrics = '', edit = '', check = '', stop = ''] = steps;
  const script = [
    'set -e',
    patience,
    start,
    'until_ready grep -q login/link server.txt',
    read,
    'curl --silent --location --cookie-jar cookies --header "Accept: text/html" "$(grep -o "http://.*login/link.*" server.txt)"',
    `until_ready sh -c 'curl --silent http://127.0.0.1:8080/metrics | grep -q "health=.waiting.. [1-9]"'`,
    metrics,
    edit,
    'grep -q OSL-LT-901 .rampart/emulator/accounts/aurora-clinic.yaml',
    check,
    stop,
    'wait %1',
  ]
    .join('\n')
    .replaceAll('8080', String(port));
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      HOME: folder,
      NODE_COMPILE_CACHE: programEnvironment.NODE_COMPILE_CACHE,
      RAMPART_SERVER_LISTEN: `127.0.0.1:${port}`,
      no_proxy: '127.0.0.1',
    },
  });
  let out = '';
  let err = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = (await once(shell, 'close')) as [number | null];
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(out).toContain(`runs at http://127.0.0.1:${port}, with 20 accounts`);
  expect(out).toContain('<title>Rampart</title>');
  expect(out).toContain('rampart_accounts{health="waiting"}');
  expect(out).toContain('Accounts: 20, each checked every minute.');
});

/** The program with the server next to it, as in the archive that needs no installation. */
async function mainOfArchive(folder: string): Promise<string> {
  if (programFolder === undefined) return join(root, 'bin/rampart.js');
  cpSync(programFolder, join(folder, 'dist/cli'), { recursive: true });
  cpSync(join(programFolder, '../server'), join(folder, 'dist/server'), { recursive: true });
  cpSync(await builtConsole(), join(folder, 'dist/server/console'), { recursive: true });
  return join(folder, 'dist/cli/main.cjs');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
