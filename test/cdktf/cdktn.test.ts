import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as constructs from '../../src/cdktf/index.ts';
import { type Gallery, gallery } from './given/gallery.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const here = gallery();

test('the gallery holds every construct and every aspect there is', () => {
  const classes = Object.entries(constructs)
    .filter(([, each]) => typeof each === 'function' && /^class\b/.test(String(each)))
    .map(([name]) => name);
  expect(classes.length).toBeGreaterThan(20);
  expect(classes.filter((name) => !here.classes.includes(name))).toEqual([]);
});

test('on cdktn every construct synthesizes to what it does on cdktf, and aspects say the same', async () => {
  const script = join(import.meta.dirname, 'given/print-gallery.ts');
  const argv = ['--import', join(root, 'src/cdktf/on-cdktn.ts'), script];
  const { stdout } = await run(process.execPath, argv, { maxBuffer: 1e8 });
  const there = JSON.parse(stdout) as Gallery;
  // The preload has one core loaded, and it is cdktn.
  expect([there.core, here.core]).toEqual([
    expect.stringMatching(/^0\.24\./),
    expect.not.stringMatching(/^0\.24\./),
  ]);
  expect(there.stacks).toEqual(here.stacks);
  expect(there.annotations).toEqual(here.annotations);
  expect(here.annotations.map(({ level }) => level)).toEqual(
    expect.arrayContaining(['error', 'warn', 'info']),
  );
});

test.skipIf(process.env['RAMPART_SOAK'] !== '1')(
  'every test of the constructs passes on cdktn',
  async () => {
    const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !/acceptance|cdktn|page/.test(name))
      .map((name) => join('test/cdktf', name));
    expect(tests.length).toBeGreaterThan(10);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const preload = ['--execArgv=--import', `--execArgv=${join(root, 'src/cdktf/on-cdktn.ts')}`];
    const flags = ['run', '--reporter=dot'];
    await run(process.execPath, [vitest, ...flags, ...preload, ...tests], { cwd: root });
  },
  300_000,
);
