import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { plantedBugs } from './planted-bugs.ts';

const src = join(import.meta.dirname, '../../../src');
const hunt = join(import.meta.dirname, 'hunt.ts');

it.each(plantedBugs)('the source still has what this bug replaces: $name', ({ changes }) => {
  for (const { file, from } of changes) expect(readFileSync(join(src, file), 'utf8')).toContain(from);
});

/** The others take as long: `node test/simulation/planted/hunt.ts --known` tries all. */
const sample = plantedBugs.filter(({ seed }) => seed === 0).slice(0, 2);

it.each(sample)('the laws find the planted bug: $name', async ({ name }) => {
  const { stdout } = await promisify(execFile)(process.execPath, [hunt, '--known', '--bug', name]);
  expect(stdout).toContain('found with seed');
});
