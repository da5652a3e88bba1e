import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LockedPackages, lockGaps } from '../../bin/lock-gaps.ts';

test('the lock file has every package with an integrity: `npm run complete-lock` adds what is missing', () => {
  const file = join(import.meta.dirname, '..', '..', 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { readonly packages: LockedPackages };
  expect(lockGaps(packages)).toEqual([]);
});

const integrity = 'sha512-abc';

test('a binary for another platform that is left out is a gap', () => {
  const packages = {
    '': {},
    'node_modules/tool': {
      version: '2.0.0',
      integrity,
      optionalDependencies: {
        '@tool/linux-x64-gnu': '2.0.0',
        '@tool/win32-x64': '2.0.0',
        fsevents: '~2.3.2',
      },
    },
    'node_modules/@tool/linux-x64-gnu': { version: '2.0.0', integrity },
  };
  expect(lockGaps(packages)).toEqual(['@tool/win32-x64@2.0.0']);
});

test('a binary of another version is a gap', () => {
  const packages = {
    'node_modules/tool': {
      version: '2.0.0',
      integrity,
      optionalDependencies: { 'tool-darwin-arm64': '2.0.0' },
    },
    'node_modules/tool-darwin-arm64': { version: '2.0.0', integrity },
    'node_modules/user/node_modules/tool': {
      version: '1.0.0',
      integrity,
      optionalDependencies: { 'tool-darwin-arm64': '1.0.0' },
    },
  };
  expect(lockGaps(packages)).toEqual(['tool-darwin-arm64@1.0.0']);
});

test('a package without a strong integrity is a gap, unless the archive of another package contains it', () => {
  const packages = {
    'node_modules/none': { version: '1.0.0' },
    'node_modules/weak': { version: '1.0.0', integrity: 'sha1-abc' },
    'node_modules/outer': { version: '1.0.0', integrity },
    'node_modules/outer/node_modules/inner': { version: '1.0.0', inBundle: true },
  };
  expect(lockGaps(packages)).toEqual(['node_modules/none', 'node_modules/weak']);
});
