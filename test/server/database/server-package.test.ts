import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { findServerPackage } from '../../../src/server/database/server-package.ts';

const root = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'rampart-package-'))}/`);
afterAll(() => rmSync(root, { recursive: true }));

/** Returns what the program `name/dist/cli.js` finds beside this file. */
function found(name: string, file: string, manifest?: string) {
  const folder = new URL(`${name}/`, root);
  mkdirSync(new URL('.', new URL(file, folder)), { recursive: true });
  if (manifest !== undefined) writeFileSync(new URL(file, folder), manifest);
  return findServerPackage('1.2.0', new URL('dist/cli.js', folder).href);
}

function partsIn(folder: string) {
  const consoleFolder = fileURLToPath(new URL(`${folder}/console`, root));
  return { ok: true, value: { databaseThread: new URL(`${folder}/pglite-thread.js`, root), consoleFolder } };
}

const installed = 'node_modules/rampart-server/package.json';

it('finds the parts of the server beside the program, or in the package of the same version', () => {
  expect(found('archive', 'server/x')).toMatchObject(partsIn('archive/server'));
  expect(found('same', installed, '{"version":"1.2.0"}')).toMatchObject(
    partsIn('same/node_modules/rampart-server'),
  );
});

it.each([
  ['missing', 'Rampart Server is not installed', undefined],
  [
    'older',
    'the installed Rampart Server has version "1.1.9", and Rampart has "1.2.0"',
    '{"version":"1.1.9"}',
  ],
  ['nameless', 'the installed Rampart Server has version "undefined", and Rampart has "1.2.0"', '{}'],
])('asks for the package of its version if that is %s', (name, message, manifest) => {
  const hint = expect.stringContaining('install rampart-server-1.2.0.tgz') as string;
  expect(found(name, installed, manifest)).toMatchObject({
    ok: false,
    problems: [{ code: 'configuration', message, hint }],
  });
});

it('uses the sources of a checkout', () => {
  const program = 'file:///checkout/src/server/database/server-package.ts';
  expect(findServerPackage('1.2.0', program)).toMatchObject({
    value: { consoleFolder: '/checkout/dist/console' },
  });
});
