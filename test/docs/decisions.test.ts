import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { house } from '../floors/house.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/contributing/decisions.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<
  Record<'dependencies' | 'devDependencies' | 'peerDependencies', Readonly<Record<string, string>>>
>;

/** The packages in the first column of the tables below a heading. */
function packagesUnder(heading: string): readonly string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const cells = [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => cell.split(', ')).filter((name) => name !== 'package');
}

test('the decisions give a reason for each package of the manifest, and for no other package', () => {
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const sorted = (names: readonly string[]) => [...new Set(names)].sort();
  expect(sorted(packagesUnder('Runtime packages'))).toEqual(
    sorted([...Object.keys(dependencies), ...Object.keys(peerDependencies)]),
  );
  expect(sorted([...packagesUnder('Bundled packages'), ...packagesUnder('Development packages')])).toEqual(
    sorted(Object.keys(devDependencies).filter((name) => !(name in peerDependencies))),
  );
});

test('the decisions list every package of src/ among those that the package needs or a bundle contains', () => {
  const listed = new Set([...packagesUnder('Runtime packages'), ...packagesUnder('Bundled packages')]);
  const missing = house.flatMap(({ packages }) => packages.filter((name) => !listed.has(name)));
  expect([...new Set(missing)]).toEqual([]);
});
