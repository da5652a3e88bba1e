import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../given/chromium.ts';
import { newFolder } from '../given/folder.ts';
import { programFolder } from '../given/program.ts';
import { givenBrowser } from './chromium.ts';

const root = join(import.meta.dirname, '../..');

describe.runIf(hasChromium)('a page from the packed program', () => {
  const open = givenBrowser();
  let folder: string;
  beforeAll(async () => {
    folder = newFolder();
    mkdirSync(join(folder, 'bin'));
    for (const file of ['package.json', 'bin/rampart.js', 'bin/own-cache-folder.mjs'])
      cpSync(join(root, file), join(folder, file));
    cpSync(programFolder ?? 'not built', join(folder, 'dist/cli'), { recursive: true });
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('shows separators and non-ASCII names unchanged', async () => {
    writeFileSync(
      join(folder, 'seed.yaml'),
      'companyId: 1234567890\ngroups:\n  - { id: 1, name: Zürich }\nhosts:\n  - { id: 100, name: LOBBY, group: Zürich }\n',
    );
    writeFileSync(join(folder, 'fleet.yaml'), 'version: 1\nhosts:\n  - { id: 100, name: BÜRO-東京 }\n');
    const program = [join(folder, 'bin/rampart.js'), 'plan', '--emulator=seed.yaml', '--format', 'html'];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
    });
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
    const { page, faults } = await open(stdout.toString('utf8'));
    const text = await page.locator('body').innerText();
    expect(text).toContain('BÜRO-東京');
    expect(text).toContain('Zürich');
    expect(text).toContain('→');
    expect(text).not.toMatch(/[\uFFFDÂâ]/);
    expect(faults).toEqual([]);
  });
});
