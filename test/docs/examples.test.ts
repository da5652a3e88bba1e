import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { workplace } from '../given/command-line.ts';
import { runPage } from './run-page.ts';

const root = join(import.meta.dirname, '..', '..');
const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(root, 'docs', name), 'utf8'))
  .join('\n');

const names = globSync('*/README.md', { cwd: join(root, 'examples') }).map((path) => dirname(path));

test('there are examples', () => expect(names.length).toBeGreaterThan(5));

test.each(names)('the example %s prints what its README shows, and a guide links to it', async (name) => {
  const readme = readFileSync(join(root, 'examples', name, 'README.md'), 'utf8');
  expect(await runPage(readme, name)).toBeGreaterThan(0);
  expect(guides).toContain(`examples/${name}/README.md`);
});

test('init --from copies an example into an empty folder, and lists the examples if it does not know the name', async () => {
  const { rampart, folder } = await workplace();
  const ran = await rampart(['init', '--from', 'names']);
  expect({ code: ran.code, err: ran.err }).toMatchObject({ code: 0 });
  expect(readdirSync(folder).toSorted()).toEqual(['README.md', 'fleet.yaml', 'seed.yaml']);
  expect((await rampart(['plan', '--emulator=seed.yaml'])).code).toBe(0);
  expect(await rampart(['init', '--from', 'names'])).toMatchObject({ code: 3 });
  const unknown = await rampart(['init', '--from', 'nmaes', '--dir', 'other']);
  expect(unknown).toMatchObject({ code: 3, err: expect.stringContaining('names') });
});
