import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { plantedBugs } from './planted-bugs.ts';

const hunt = join(import.meta.dirname, 'hunt.ts');

/** The others take as long: `node test/simulation/planted/hunt.ts --known` tries all. */
const sample = plantedBugs.filter(({ seed }) => seed === 0).slice(0, 2);

it.each(sample)('the laws find the planted bug: $name', async ({ name }) => {
  const { stdout } = await promisify(execFile)(process.execPath, [hunt, '--known', '--bug', name]);
  expect(stdout).toContain('found with seed');
});
