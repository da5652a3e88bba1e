import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { readCommand } from './read-command.ts';
import { readFences } from './read-page.ts';
import { runPage } from './run-page.ts';

const root = join(import.meta.dirname, '..', '..');
/** `commands.test.ts` runs the examples of this page each on its own. */
const ownTest = 'reference/commands.md';
/** `server-tutorial.test.ts` follows this page with a real shell, because a server needs real time. */
const inShell = 'docs/start/server.md';
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== ownTest && !name.startsWith('terraform/'))
    .sort()
    .map((name) => `docs/${name}`),
];
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

test.each(pages.filter((page) => page !== inShell))('following %s exactly works', async (page) => {
  const text = textOf(page);
  const commands = readFences(text)
    .filter((fence) => fence.language === 'sh' && fence.notRun === undefined)
    .flatMap((fence) => fence.text.split('\n').filter((line) => readCommand(line) !== undefined));
  expect(await runPage(text)).toBe(commands.length);
});

it('only this many command blocks are not run, each with a reason', () => {
  const left = pages.flatMap((page) =>
    readFences(textOf(page)).flatMap(({ notRun }) => (notRun === undefined ? [] : [page])),
  );
  expect(left).toEqual([
    'README.md',
    'README.md',
    'docs/contributing/performance.md',
    'docs/contributing/releasing.md',
    'docs/contributing/releasing.md',
    'docs/contributing/releasing.md',
    'docs/guides/approvals.md',
    'docs/guides/asset-register.md',
    'docs/guides/asset-register.md',
    'docs/guides/cdktf-migration.md',
    'docs/guides/cdktf.md',
    'docs/guides/console.md',
    'docs/guides/emulator.md',
    'docs/guides/emulator.md',
    'docs/guides/emulator.md',
    'docs/guides/emulator.md',
    'docs/guides/pipelines.md',
    'docs/guides/recipes.md',
    'docs/guides/server-in-production.md',
    'docs/guides/server.md',
    'docs/guides/service-commands.md',
    'docs/guides/signed-plans.md',
    'docs/guides/signed-plans.md',
    'docs/guides/signed-plans.md',
    'docs/guides/signed-plans.md',
    'docs/guides/sources.md',
    'docs/reference/configuration.md',
    'docs/reference/desired-state.md',
    'docs/reference/expressions.md',
    'docs/reference/tables.md',
    'docs/reference/tables.md',
    'docs/reference/tables.md',
    'docs/reference/tables.md',
    'docs/reference/tables.md',
    'docs/start/install.md',
    'docs/start/install.md',
    'docs/start/install.md',
    'docs/start/install.md',
    'docs/start/install.md',
    'docs/start/pull-request.md',
  ]);
});

test.each([...pages, `docs/${ownTest}`])('every link of %s to a file points to an existing file', (page) => {
  const text = textOf(page);
  for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
    if (/^https?:/.test(target)) continue;
    expect(() => readFileSync(join(root, page, '..', target)), target).not.toThrow(/ENOENT/);
  }
});

describe('a command on a page', () => {
  it('is read with its environment, its exit code and where its output goes', () => {
    expect(readCommand(`A=1 npx rampart plan --target 'x y' > p.json  # why # exit 2`)).toEqual({
      env: { A: '1' },
      argv: ['plan', '--target', 'x y'],
      into: 'p.json',
      exitCode: 2,
      inBackground: false,
    });
  });

  it('runs in the background if it ends with an ampersand', () => {
    expect(readCommand('rampart emulator --port 8080 &')).toMatchObject({
      argv: ['emulator', '--port', '8080'],
      inBackground: true,
    });
  });

  it('may have its prompt answered', () => {
    expect(readCommand('echo yes | rampart apply')?.answer).toBe('yes');
  });

  it('is refused if it belongs to another program', () => {
    expect(() => readCommand('rm -rf fleet')).toThrow('not a command of rampart');
  });
});

it('each test that the page about security names exists', () => {
  const folder = join(root, 'test');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  );
  const tests = files.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll("\\'", "'"));
  const cells = textOf('docs/contributing/threat-model.md')
    .split('\n')
    .flatMap((line) => (line.startsWith('|') ? [line.slice(0, -1).split(' | ').at(-1) ?? ''] : []))
    .filter((cell) => /\.test\.ts|the same/.test(cell));
  const quoted = cells.flatMap((cell) => [...cell.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name));
  const named = cells.flatMap((cell) =>
    [...cell.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file = '']) => file),
  );
  expect(quoted.length).toBeGreaterThan(30);
  expect(quoted.filter((name) => !tests.some((text) => text.includes(name)))).toEqual([]);
  expect(
    named.filter(
      (file) => !files.some((each) => `test/${each}`.endsWith(`/${file}`) || `test/${each}` === file),
    ),
  ).toEqual([]);
});

it('the README has at most 150 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

it('a page fails if a command ends in another way than the page says', async () => {
  await expect(runPage('```sh\nrampart validate\n```\n')).rejects.toThrow('rampart validate');
});

it('a page that shows another output fails', async () => {
  const page = '```sh\nrampart runs\n```\n\n```text\nNo runs at all.\n```\n';
  await expect(runPage(page)).rejects.toThrow('There are no runs yet.');
});

it('a page that shows an invalid desired state fails', async () => {
  await expect(runPage('```yaml\n# fleet.yaml\nversion: 2\nhosts: []\n```\n')).rejects.toThrow('line 1');
});
