import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { givenFolder } from '../../../given/given-folder.ts';

const contender = fileURLToPath(new URL('lock-contender.ts', import.meta.url));

let stateDir: string;
beforeEach(() => {
  stateDir = givenFolder();
});
const folders = async () => (await readdir(stateDir)).filter((name) => name.startsWith('lock-'));
const lockFiles = async () => readdir(join(stateDir, String(await folders())));

type Contender = ChildProcessByStdio<Writable, Readable, Readable>;
interface Part {
  readonly rounds: number;
  readonly end: 'release' | 'die';
}
const honest: Part = { rounds: 20, end: 'release' };
const toDelete: Part = { rounds: 5, end: 'die' };

/** Starts all at one moment, and returns how each ended. */
async function race(...parts: readonly Part[]): Promise<readonly string[]> {
  const children = parts.map(({ rounds, end }) =>
    spawn(process.execPath, [contender, stateDir, String(rounds), end], { stdio: ['pipe', 'pipe', 'pipe'] }),
  );
  const ends = children.map(endOf);
  await Promise.race([Promise.all(children.map((child) => once(child.stdout, 'data'))), ...ends]);
  for (const { stdin } of children) stdin.end();
  return Promise.all(ends);
}

function endOf(child: Contender): Promise<string> {
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal ?? (code === 0 ? 'fine' : complaint)));
  });
}

describe('the run lock between real processes', () => {
  it('admits one at a time', { timeout: 120_000 }, async () => {
    expect(await race(honest, honest, honest)).toEqual(['fine', 'fine', 'fine']);
    expect((await lockFiles()).sort()).toEqual(['60.free', '60.json']);
  });
  it('continues after holders were killed, still one at a time', { timeout: 120_000 }, async () => {
    expect(await race({ rounds: 1, end: 'die' })).toEqual(['SIGKILL']);
    expect(await lockFiles()).toEqual(['1.json']);
    expect(await race(honest, toDelete, honest, toDelete)).toEqual(['fine', 'SIGKILL', 'fine', 'SIGKILL']);
  });
});
