import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LockedPackages, lockGaps } from '../../bin/lock-gaps.ts';

test('the lock file has no gap, else npm ci refuses it: `npm run complete-lock` fills them', () => {
  const file = join(import.meta.dirname, '..', '..', 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { readonly packages: LockedPackages };
  expect(Object.keys(lockGaps(packages))).toEqual([]);
});

test('a binary for another platform that is left out is a gap', () => {
  const packages = {
    '': {},
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: {
        '@tool/linux-x64-gnu': '2.0.0',
        '@tool/linux-arm64-musl': '2.0.0',
        '@tool/win32-x64': '2.0.0',
        fsevents: '~2.3.2',
      },
    },
    'node_modules/@tool/linux-x64-gnu': { version: '2.0.0' },
  };
  expect(lockGaps(packages)).toEqual({
    'node_modules/@tool/linux-arm64-musl': {
      version: '2.0.0',
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['musl'],
      dev: true,
      optional: true,
    },
    'node_modules/@tool/win32-x64': {
      version: '2.0.0',
      os: ['win32'],
      cpu: ['x64'],
      dev: true,
      optional: true,
    },
  });
});

test('one of another version is a gap next to the package that needs it', () => {
  const packages = {
    'node_modules/tool': { version: '2.0.0', optionalDependencies: { 'tool-darwin-arm64': '2.0.0' } },
    'node_modules/user/node_modules/tool': {
      version: '1.0.0',
      optionalDependencies: { 'tool-darwin-arm64': '1.0.0' },
    },
  };
  const gaps = lockGaps(packages);
  expect(gaps['node_modules/tool-darwin-arm64']?.version).toBe('2.0.0');
  expect(gaps['node_modules/user/node_modules/tool-darwin-arm64']?.version).toBe('1.0.0');
});
