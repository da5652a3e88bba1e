import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackages, lockGaps, withoutIntegrity } from './lock-gaps.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'package-lock.json');
const read = () => JSON.parse(readFileSync(file, 'utf8')) as { packages: LockedPackages };

const lock = read();
const unchecked = new Set(withoutIntegrity(lock.packages));
lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([path]) => !unchecked.has(path)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
// npm adds missing packages with their integrity, if the registry has it.
execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root, stdio: 'inherit' });
const left = lockGaps(read().packages);
if (left.length > 0) {
  console.error(`The registry does not have: ${left.join(', ')}`);
  process.exitCode = 1;
}
