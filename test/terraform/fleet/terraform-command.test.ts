import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { Machine } from '../../../src/terraform/fleet/command-process.ts';
import { splitCommandLine } from '../../../src/terraform/fleet/split-command-line.ts';
import { terraformCommand } from '../../../src/terraform/fleet/terraform-command.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A machine with Windows whose PowerShell is this script. */
function windows(script: string, more: Machine = {}): Machine {
  const systemRoot = temporaryFolder();
  const folder = join(systemRoot, 'System32', 'WindowsPowerShell', 'v1.0');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'powershell.exe'), `#!${process.execPath}\n${script}`, { mode: 0o755 });
  return { platform: 'win32', env: { SystemRoot: systemRoot, RAMPART_PSK: 'a-key' }, ...more };
}

/** Answers as PowerShell does, from /proc, and only with the environment that PowerShell needs. */
const powershell = `
  const { readFileSync } = require('node:fs');
  const script = process.argv.at(-1);
  const [, pid] = /-ClassName Win32_Process -Filter 'ProcessId = (\\d+)' -Property CommandLine, CreationDate;/.exec(script);
  if (!process.argv.includes('-NoProfile') || !process.argv.includes('-NonInteractive')) process.exit(2);
  if (Object.keys(process.env).join() !== 'SystemRoot') process.exit(3);
  const words = readFileSync('/proc/' + pid + '/cmdline', 'utf8').split('\\0').slice(0, -1);
  const line = words.map((word) => (/[ "]/.test(word) ? '"' + word.replaceAll('"', '\\\\"') + '"' : word)).join(' ');
  const start = readFileSync('/proc/' + pid + '/stat', 'utf8').split(' ')[21];
  process.stdout.write([start, ...Array.from({ length: line.length }, (_, at) => line.charCodeAt(at)), ''].join('\\r\\n'));
`;

const notKnown = { id: `${process.pid} `, appliesOwnPlan: true, findsSavedPlans: false, savedPlan: null };

describe('the command that started the provider', () => {
  it.skipIf(process.platform !== 'linux').each([
    ['Linux', 'a saved plan é 漢', (): Machine => ({ platform: 'linux' })],
    // Not every Linux has the locale of macOS.
    ['macOS', 'a saved plan', (): Machine => ({ platform: 'darwin' })],
    ['Windows', 'a saved plan é 漢', (): Machine => windows(powershell)],
  ])('applies a saved plan if its last argument is one, as on %s', async (_system, name, machineOf) => {
    const machine = machineOf();
    const folder = temporaryFolder();
    const saved = join(folder, name);
    writeFileSync(saved, 'PK..');
    writeFileSync(join(folder, 'other'), 'name = 1');
    const commandOf = async (...words: readonly string[]) => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', ...words]);
      onTestFinished(() => void child.kill());
      await once(child, 'spawn');
      return terraformCommand(child.pid as number, machine);
    };
    const apply = await commandOf('apply', '-no-color', saved);
    expect(apply).toMatchObject({ savedPlan: saved, appliesOwnPlan: false, findsSavedPlans: true });
    expect(await commandOf('apply', join(folder, 'other'))).toMatchObject({ savedPlan: null });
    expect(await commandOf('plan', `-out=${saved}`)).toMatchObject({
      savedPlan: null,
      appliesOwnPlan: false,
    });
    const pipe = join(folder, 'pipe');
    execFileSync('/usr/bin/mkfifo', [pipe]);
    expect(await commandOf('apply', '-var-file', pipe)).toMatchObject({ savedPlan: null });
    const own = await commandOf('apply');
    expect(own).toMatchObject({ savedPlan: null, appliesOwnPlan: true });
    expect(own?.id).not.toBe(apply?.id);
    expect(await commandOf('test')).toBeNull();
    expect(terraformCommand(2 ** 30, machine)).toMatchObject({ savedPlan: null, findsSavedPlans: false });
  });

  test.each<readonly [string, () => Machine]>([
    ['fails', () => windows('process.exit(1);')],
    ['prints nothing', () => windows('')],
    ['may not see the command line', () => windows('console.log("638999999999999999");')],
    ['does not end', () => windows('setInterval(() => {}, 1000);', { limitMs: 500 })],
    ['is missing', () => ({ platform: 'win32', env: { SystemRoot: temporaryFolder() } })],
    ['has no folder', () => ({ platform: 'win32', env: {} })],
    ['has a relative folder', () => ({ platform: 'win32', env: { SystemRoot: 'Windows' } })],
  ])('is not known on Windows if PowerShell %s', (_what, machineOf) => {
    const command = terraformCommand(process.pid, machineOf());
    expect({ ...command, id: '' }).toEqual({ ...notKnown, id: '' });
  });

  test.each<readonly [string, readonly string[]]>([
    ['', []],
    ['terraform.exe apply saved', ['terraform.exe', 'apply', 'saved']],
    [
      '"C:\\Program Files\\terraform.exe"  apply\t"a b"',
      ['C:\\Program Files\\terraform.exe', 'apply', 'a b'],
    ],
    ['t "C:\\a b\\\\" c', ['t', 'C:\\a b\\', 'c']],
    ['t C:\\a\\b\\ c', ['t', 'C:\\a\\b\\', 'c']],
    ['t \\"a\\" b', ['t', '"a"', 'b']],
    ['t a\\\\\\"b', ['t', 'a\\"b']],
    ['t "a""b c"', ['t', 'a"b', 'c']],
    ['t "" a', ['t', '', 'a']],
    ['t -var="x=a b" c', ['t', '-var=x=a b', 'c']],
    ['t "open ended', ['t', 'open ended']],
  ])('has on Windows, in the line %j, the words %j', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });
});
