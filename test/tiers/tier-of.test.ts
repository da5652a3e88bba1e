import { describe, expect, it } from 'vitest';
import { openEmbeddedDatabase } from '../../src/server/database/embedded-database.ts';
import { createTierOf, testFiles } from './tier-of.ts';

const files: Readonly<Record<string, string>> = {
  'test/given/process.ts': "import { spawn } from 'node:child_process'; export const start = spawn;",
  'test/given/again.ts': "export { start } from './process.ts';",
  'test/given/circle.ts': "import './circle.ts';",
  'src/run/git.ts': "import { execFile } from 'node:child_process';",
  'src/run/origin.ts': "import { git } from './git.ts';",
};

describe('the tier of a test', () => {
  it.each([
    ['system', 'starts a process', "import { spawn } from 'node:child_process';"],
    ['system', 'starts a thread', "import { Worker } from 'node:worker_threads';"],
    ['system', 'loads a database when it runs', "await import('@electric-sql/pglite');"],
    ['system', 'imports a system for nothing but its effect', "import 'playwright-core';"],
    ['system', 'has a helper that starts a process', "import { start } from '../given/process.ts';"],
    ['system', 'has such a helper by way of another', "import { start } from '../given/again.ts';"],
    ['system', 'tests a file that starts a process', "import { git } from '../../src/run/git.ts';"],
    ['unit', 'tests a file that needs such a file', "import { origin } from '../../src/run/origin.ts';"],
    ['unit', 'imports only types of a system', "import type { Page } from 'playwright-core';"],
    ['unit', 'names a system in a text', 'const text = "import { spawn } from \'node:child_process\'";'],
    ['unit', 'has a helper that imports itself', "import '../given/circle.ts';"],
    ['unit', 'imports nothing', ''],
  ])('is %s if it %s', (tier, _what, text) => {
    const tierOf = createTierOf((file) => (file === 'test/run/a.test.ts' ? text : files[file]));
    expect(tierOf('test/run/a.test.ts')).toBe(tier);
  });

  it('is unit for most files of this checkout, and each file has one', () => {
    const { unit, system, isolated } = testFiles();
    expect(unit).toContain('test/tiers/tier-of.test.ts');
    expect(system.length).toBeGreaterThan(0);
    expect(isolated).toContain('test/server/queue/open-queue-jobs.test.ts');
    expect(unit.length).toBeGreaterThan(system.length + isolated.length);
    expect(new Set([...unit, ...system, ...isolated]).size).toBe(
      unit.length + system.length + isolated.length,
    );
  });
});

// Built-in modules are looked up by name here: an import would move this file to the other tier.
const { execFile, execFileSync, execSync, fork, spawn, spawnSync } =
  process.getBuiltinModule('node:child_process');
const { Worker } = process.getBuiltinModule('node:worker_threads');
const { connect } = process.getBuiltinModule('node:net');
const { connect: connectSecurely } = process.getBuiltinModule('node:tls');

describe('a unit test fails if it', () => {
  it.each([
    ['spawns a process', () => spawn('true')],
    ['executes a file', () => execFile('true')],
    ['forks', () => fork('a.js')],
    ['waits for a spawned process', () => spawnSync('true')],
    ['waits for an executed file', () => execFileSync('true')],
    ['waits for a command of the shell', () => execSync('true')],
    ['starts a thread', () => new Worker('', { eval: true })],
    ['connects to another machine', () => connect(443, '192.0.2.1')],
    ['connects to another machine by name', () => connect({ port: 443, host: 'example.com' })],
    ['connects securely to another machine', () => connectSecurely({ port: 443, host: '192.0.2.1' })],
  ])('%s', (_what, start) => {
    expect(start).toThrow('uses-a-system.ts');
  });

  it('opens an embedded database', async () => {
    const opened = await openEmbeddedDatabase({ folder: null, version: '0.1.0' }).catch((error: unknown) =>
      String(error),
    );
    expect(JSON.stringify(opened)).toContain('uses-a-system.ts');
  });

  it('connects to PostgreSQL', async () => {
    const name = 'pg';
    const { Client } = (await import(name)) as { Client: new () => { connect(): Promise<void> } };
    expect(() => new Client().connect()).toThrow('uses-a-system.ts');
  });
});
