import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App } from 'cdktf';
import { expect, onTestFinished, test } from 'vitest';
import * as constructs from '../../src/cdktf/index.ts';
import { type Gallery, gallery } from './given/gallery.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const here = gallery();

async function galleryOn(...flags: readonly string[]): Promise<Gallery> {
  const script = join(import.meta.dirname, 'given/print-gallery.ts');
  const { stdout } = await run(process.execPath, [...flags, script], { maxBuffer: 1e8 });
  return JSON.parse(stdout) as Gallery;
}

test('the gallery holds every construct and every aspect there is', () => {
  const classes = Object.entries(constructs)
    .filter(([, each]) => typeof each === 'function' && /^class\b/.test(String(each)))
    .map(([name]) => name);
  expect(classes.length).toBeGreaterThan(20);
  expect(classes.filter((name) => !here.classes.includes(name))).toEqual([]);
});

test('on cdktn every construct synthesizes to what it does on cdktf, and aspects say the same', async () => {
  const there = await galleryOn('--import', join(root, 'src/cdktf/on-cdktn.ts'));
  expect(there.stacks).toEqual(here.stacks);
  expect(there.annotations).toEqual(here.annotations);
  expect(here.annotations.map(({ level }) => level)).toEqual(
    expect.arrayContaining(['error', 'warn', 'info']),
  );
});

test('the preload has one core loaded, and it is cdktn', async () => {
  const script =
    "import { App } from 'cdktf'; console.log(new App({ outdir: process.argv[1] }).node.tryGetContext('cdktfVersion'))";
  const folder = mkdtempSync(join(tmpdir(), 'core-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const versionBy = async (...flags: readonly string[]) =>
    (
      await run(process.execPath, [...flags, '--input-type=module', '-e', script, folder], { cwd: root })
    ).stdout.trim();
  const preload = join(root, 'src/cdktf/on-cdktn.ts');
  const [bare, preloaded] = await Promise.all([versionBy(), versionBy('--import', preload)]);
  expect(bare).toBe(new App({ outdir: folder }).node.tryGetContext('cdktfVersion'));
  expect(preloaded).not.toBe(bare);
  expect(preloaded).toMatch(/^0\.24\./);
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
