import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { findServerPackage } from '../../../src/server/database/server-package.ts';

const root = mkdtempSync(join(tmpdir(), 'rampart-package-'));
afterAll(() => rmSync(root, { recursive: true }));

const installed = 'node_modules/rampart-server/package.json';
const older = 'the installed Rampart Server has version "1.1.9", and Rampart has "1.2.0"';

it.each([
  ['the parts beside the program', 'server/x', '', 'server'],
  ['the package of the same version', installed, '{"version":"1.2.0"}', 'node_modules/rampart-server'],
  ['no package', 'other', '', 'Rampart Server is not installed'],
  ['the package of another version', installed, '{"version":"1.1.9"}', older],
])('a program finds %s', (name, file, text, expected) => {
  const folder = join(root, name);
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  const found = findServerPackage('1.2.0', pathToFileURL(join(folder, 'dist/cli.js')).href);
  const hint = expect.stringContaining('install rampart-server-1.2.0.tgz') as string;
  const parts = join(folder, expected);
  const databaseThread = pathToFileURL(join(parts, 'pglite-thread.js'));
  expect(found).toMatchObject(
    expected.includes('Rampart')
      ? { ok: false, problems: [{ code: 'configuration', message: expected, hint }] }
      : { ok: true, value: { databaseThread, consoleFolder: join(parts, 'console') } },
  );
});

it('a checkout uses its sources', () => {
  const program = 'file:///checkout/src/server/database/server-package.ts';
  const value = { consoleFolder: '/checkout/dist/console' };
  expect(findServerPackage('1.2.0', program)).toMatchObject({ ok: true, value });
});
