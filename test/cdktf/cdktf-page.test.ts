import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ruleIds } from '../../src/cdktf/index.ts';
import { fileNameOf, readFences } from '../docs/read-page.ts';
import { newFolder } from '../given/folder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/cdktf.md'), 'utf8');
const files = readFences(page).flatMap((fence) => {
  const name = fileNameOf(fence);
  return name === undefined ? [] : [{ name, text: fence.text }];
});
const modules = files.filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

/** The files of the page in a folder of their own, with the packages that it names. */
function project(core: 'cdktf' | 'cdktn'): string {
  const folder = newFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const source = join(root, 'src/cdktf/index.ts');
  for (const { name, text } of files)
    writeFileSync(
      join(folder, name),
      text.replaceAll("'rampart/cdktf'", `'${source}'`).replaceAll("'cdktn'", `'${core}'`),
    );
  return folder;
}

test('the page names every rule', () =>
  expect(ruleIds.filter((id) => !page.includes(`\`${id}\``))).toEqual([]));

test('the page lists the optional peer dependencies of the package, with their ranges', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
    readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  };
  const listed = [...page.matchAll(/^\| `([^`]+)` \| `(\^[^`]+)` \|/gm)].map(([, name, range]) => [
    name,
    range,
  ]);
  expect(listed.length).toBeGreaterThan(0);
  expect(Object.fromEntries(listed)).toEqual(peerDependencies);
  const all = Object.keys(peerDependencies).map((name) => [name, { optional: true }]);
  expect(peerDependenciesMeta).toEqual(Object.fromEntries(all));
});

test('the pages install the packages in the versions of these tests', () => {
  const migration = readFileSync(join(root, 'docs/guides/cdktf-migration.md'), 'utf8');
  const installed = [...`${page}${migration}`.matchAll(/npm install (?:\.\/\S+ )?(.*cdktn.*)/g)].flatMap(
    ([, packages = '']) => packages.split(' '),
  );
  expect(installed).toHaveLength(6);
  for (const each of installed) {
    const [, name, version = 'none'] = /^(@?[^@]+)(?:@(.+))?$/.exec(each) ?? [];
    const own = JSON.parse(readFileSync(join(root, `node_modules/${name}/package.json`), 'utf8')) as {
      readonly version: string;
    };
    expect([name, own.version]).toEqual([name, expect.stringMatching(new RegExp(`^${version}\\.`))]);
  }
});

test('the examples of the page and the constructs type-check on cdktn', async () => {
  const folder = project('cdktn');
  const types = join(root, 'node_modules/cdktn/lib/index.d.ts');
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { rewriteRelativeImportExtensions: false, paths: { cdktf: [types] } },
    include: [folder, join(root, 'src/cdktf'), join(root, 'examples/cdktf')],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = await run(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    folder,
    '--listFiles',
    '--singleThreaded',
  ]);
  expect(stdout).toContain('/node_modules/cdktn/lib/');
  expect(stdout).not.toContain('/node_modules/cdktf/lib/');
});

test('each example of the page is a stack on cdktn', async () => {
  const core = 'cdktn';
  const flags = ['--import', join(root, 'src/cdktf/on-cdktn.ts')];
  const folder = project(core);
  const stacks = modules.filter(({ name }) => name !== 'main.ts').map(({ name }) => name);
  expect(stacks).toHaveLength(6);
  const all = [
    `import { App } from '${core}';`,
    'const app = new App();',
    ...stacks.map(
      (name) => `for (const [id, Stack] of Object.entries(await import('./${name}'))) new Stack(app, id);`,
    ),
    'app.synth();',
  ];
  writeFileSync(join(folder, 'all.ts'), all.join('\n'));
  await run(process.execPath, [...flags, 'main.ts'], { cwd: folder });
  await run(process.execPath, [...flags, 'all.ts'], { cwd: folder });
  const { stacks: written } = JSON.parse(readFileSync(join(folder, 'cdktf.out/manifest.json'), 'utf8')) as {
    readonly stacks: Readonly<
      Record<string, { readonly annotations: readonly { readonly message: string }[] }>
    >;
  };
  expect(Object.keys(written)).toHaveLength(6);
  expect(
    Object.values(written).flatMap(({ annotations }) => annotations.map(({ message }) => message)),
  ).toEqual(['rampart:no-deletions: suppressed once: kiosks are reinstalled, and enroll again']);
});

test('the test of the page passes', async () => {
  const folder = project('cdktf');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const report = join(folder, 'report.json');
  await run(process.execPath, [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${report}`]);
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ numPassedTests: 1, success: true });
});
