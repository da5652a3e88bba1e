import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackages, lockGaps } from './lock-gaps.ts';

const file = join(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: LockedPackages };
const gaps = lockGaps(lock.packages);
const byPath = (a: readonly [string, unknown], b: readonly [string, unknown]) =>
  a[0].localeCompare(b[0], 'en');
lock.packages = Object.fromEntries(Object.entries({ ...lock.packages, ...gaps }).sort(byPath));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${Object.keys(gaps).length} gaps filled`);
