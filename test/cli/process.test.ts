import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { givenService, testPsk } from '../given/command-line.ts';
import { newFolder } from '../given/folder.ts';
import { program, programEnvironment, programFolder } from '../given/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const plainEnvironment = { ...programEnvironment, HOME: process.env['HOME'] };

describe('the process', () => {
  it('has nothing secret on its command line, and ends with the code of the run', async () => {
    let commandLine = '';
    let pid = 0;
    const { env } = await givenService(
      { hosts: [{ id: '1', name: 'A' }] },
      {
        hooks: {
          beforeEach: async () => {
            commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'no such list');
          },
        },
      },
    );
    const child = start(['hosts'], env);
    pid = child.pid ?? 0;
    expect(await ended(child)).toExit(0, { out: 'A' });
    expect(commandLine).not.toBe('');
    expect(commandLine).not.toContain(testPsk.slice(0, 20));
  });

  it('survives a reader that goes away', async () => {
    const child = start(['hosts', '--emulator', '--json'], {});
    child.stdout?.destroy();
    expect(await ended(child)).toMatchObject({ code: 0, err: '' });
  });

  it('exits with 6 if nobody can be asked', async () => {
    const folder = newFolder();
    await writeFile(join(folder, 'fleet.yaml'), 'version: 1\nhosts:\n  - { id: 100000004, name: NEW }\n');
    expect(await ended(start(['apply', '--emulator'], {}, folder))).toExit(6, '--auto-approve');
  });

  it('serves the emulator until it is interrupted', async () => {
    const child = start(['emulator', '--hosts', '5'], {});
    const printed = await firstOutput(child, 'RAMPART_PSK=');
    const env = Object.fromEntries(
      [...printed.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const hosts = await ended(start(['hosts', '--json'], env));
    expect(JSON.parse(hosts.out)).toHaveLength(5);
    child.kill('SIGINT');
    expect((await ended(child)).code).toBe(0);
  });

  it('finishes calls in flight on SIGTERM and says how to continue', async () => {
    const running: { child?: ChildProcess } = {};
    const { env, emulator } = await givenService(
      { hosts: [1, 2, 3].map((id) => ({ id: String(id), name: `H${id}` })) },
      {
        hooks: {
          beforeEach: async ({ action, nth }) => {
            const { child } = running;
            if (action !== 'renameHost' || nth !== 1 || child === undefined) return;
            child.kill('SIGTERM');
            await firstError(child, 'Stopping at a safe point');
          },
        },
      },
    );
    const folder = newFolder();
    await writeFile(
      join(folder, 'fleet.yaml'),
      'version: 1\nhosts:\n  - { id: 1, name: H2 }\n  - { id: 2, name: H3 }\n  - { id: 3, name: H4 }\n',
    );
    running.child = start(['apply', '--auto-approve'], env, folder);
    expect(await ended(running.child)).toExit(130, { out: 'run the same command again to continue' });
    expect(emulator.requests.filter((each) => each.method === 'PUT')).toHaveLength(1);
  });
});

// The sources, which mutants run, keep no code of their own.
it.runIf(programFolder !== undefined)(
  'a first run that collects much memory keeps the code of its start for the next runs',
  async () => {
    const folder = newFolder();
    await writeFile(join(folder, 'fleet.yaml'), 'version: 1\nhosts:\n  - { id: 1, name: A }\n');
    const keptBy = async (cache: string, flags: readonly string[]) => {
      await promisify(execFile)(process.execPath, [...flags, program, 'validate'], {
        cwd: folder,
        env: { ...plainEnvironment, NODE_COMPILE_CACHE: join(folder, cache) },
      });
      const files = await readdir(join(folder, cache), { recursive: true });
      const file = files.find((each) => each.endsWith('-validate')) ?? '';
      const { size, ino } = await stat(join(folder, cache, file));
      return { size, ino };
    };
    const quick = await keptBy('quick', []);
    const collecting = ['--gc-global', '--stress-flush-code'];
    const long = await keptBy('long', collecting);
    expect(long.size).toBeGreaterThan(0.9 * quick.size);
    // V8 takes the code, so the file is not written again.
    expect(await keptBy('long', collecting)).toEqual(long);
  },
);

it('the main job plans, applies, and then finds nothing to do', async () => {
  const child = spawn(process.execPath, ['examples/main-job/run.ts'], {
    cwd: root,
    env: plainEnvironment,
    stdio: 'pipe',
  });
  expect(await ended(child)).toExit(0, {
    out: [
      'Plan: 12 renames (plus 3 temporary renames), 7 moves, 3 anti-virus installs, 2 deletions;',
      '21 API calls (the minimum possible).',
      'Apply: 21 of 21 steps done; 21 calls sent.',
      'No changes: the fleet matches the desired state.',
    ],
  });
});

function start(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd = root,
): ChildProcess {
  const child = spawn(process.execPath, [program, ...argv], {
    cwd,
    env: { ...plainEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    if (child.exitCode === null) child.kill('SIGKILL');
  });
  return child;
}

async function ended(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  if (child.exitCode === null) await once(child, 'close');
  return { code: child.exitCode, out, err };
}

function firstOutput(child: ChildProcess, text: string): Promise<string> {
  return printedUntil(child.stdout, text);
}

function firstError(child: ChildProcess, text: string): Promise<string> {
  return printedUntil(child.stderr, text);
}

function printedUntil(stream: ChildProcess['stdout'], text: string): Promise<string> {
  return new Promise((resolve) => {
    let printed = '';
    const listen = (chunk: Buffer) => {
      printed += chunk.toString();
      if (!printed.includes(text)) return;
      stream?.off('data', listen);
      resolve(printed);
    };
    stream?.on('data', listen);
  });
}
