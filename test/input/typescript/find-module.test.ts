import '../../tiers/uses-a-system.ts';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadDesired } from '../../../src/input/load-desired.ts';
import { newFolder, putFiles } from '../../given/folder.ts';

let cwd: string;

const files: Readonly<Record<string, string | Uint8Array>> = {
  'package.json': '{"imports":{"#inner":"./lib/inner.mjs"}}',
  'lib/inner.mjs': "export default 'inner';",
  'lib/types.ts': 'export interface Site { code: string }\nexport const code: string = "typed";',
  'lib/common.cjs': "exports.name = 'common'; exports.of = (x) => x + require('./more').end;",
  'lib/more.js': "module.exports = { end: '!' };",
  'lib/esm.js': "export const name = 'esm';",
  'lib/broken.json': '{\n  "a": x }',
  'lib/latin.txt': new Uint8Array([0x5a, 0xfc]),
  'lib/throws.ts': "type A = 1;\nexport function f(): never {\n  throw new RangeError('from there');\n}",
  'lib/throws.cjs': "exports.f = () => { throw new Error('from common'); };",
  'lib/mistake.ts': 'export const a: number = 1;\nexport const b = = 2;',
  'lib/mistake.cjs': 'exports.a = 1;\nexports.b = = 2;',
  'data.csv': 'a,b\n',
  'sites.json': '{"sites":["A"]}',
  'node_modules/plain/package.json': '{"main":"./dist/main"}',
  'node_modules/plain/dist/main.js': "module.exports = require('./part')('plain'); module.exports.extra = 1;",
  'node_modules/plain/dist/part.js': 'module.exports = (x) => Object.assign(() => x, { named: x });',
  'node_modules/plain/sub.js': "exports.sub = 'sub';",
  'node_modules/bare/index.js': "exports.bare = 'bare';",
  'node_modules/bare/package.json': '{}',
  'node_modules/@scope/dual/package.json':
    '{"exports":{".":{"import":"./esm.mjs","require":"./common.cjs"},"./deep/*":"./inside/*.mjs"}}',
  'node_modules/@scope/dual/esm.mjs': "export const how = 'import';",
  'node_modules/@scope/dual/common.cjs': "exports.how = 'require';",
  'node_modules/@scope/dual/inside/x.mjs': "export default 'deep';",
  'node_modules/.store/kept@1/node_modules/kept/package.json': '{"type":"module","main":"main.js"}',
  'node_modules/.store/kept@1/node_modules/kept/main.js':
    "import { dep } from 'dep'; export const kept = `kept ${dep}`;",
  'node_modules/.store/kept@1/node_modules/dep/package.json': '{}',
  'node_modules/.store/kept@1/node_modules/dep/index.js': "exports.dep = 'dep';",
};

beforeAll(async () => {
  cwd = newFolder();
  await putFiles(cwd, files);
  await symlink('.store/kept@1/node_modules/kept', join(cwd, 'node_modules/kept'));
  await symlink('lib', join(cwd, 'linked'));
});

let scripts = 0;
async function load(text: string, ending = 'ts') {
  scripts += 1;
  const file = `fleet${scripts}.${ending}`;
  await writeFile(join(cwd, file), text);
  return { file, result: await loadDesired([file], { cwd }) };
}

describe('a script imports', () => {
  /** Each of these modules imports something; what it got is the name of a host. */
  const imports: readonly (readonly [what: string, text: string, got: string])[] = [
    ['a module of TypeScript', "import { code } from './lib/types.ts'; const got = code;", 'typed'],
    ['a type', "import type { Site } from './lib/types.ts'; const got: Site['code'] = 'x';", 'x'],
    ['a module of JavaScript by its syntax', "import { name } from './lib/esm.js'; const got = name;", 'esm'],
    [
      'a CommonJS module by its names',
      "import { name, of } from './lib/common.cjs'; const got = of(name);",
      'common!',
    ],
    ['a CommonJS module as a whole', "import all from './lib/common.cjs'; const got = all.name;", 'common'],
    [
      'a CommonJS module as a namespace',
      "import * as all from './lib/common.cjs'; const got = all.name;",
      'common',
    ],
    ['JSON', "import data from './sites.json' with { type: 'json' }; const got = data.sites[0];", 'A'],
    ['JSON without attributes', "import data from './sites.json'; const got = data.sites[0];", 'A'],
    ['text', "import text from './data.csv'; const got = text.trim();", 'a,b'],
    ['a module that it names later', "const got = (await import(`./lib/${'esm'}.js`)).name;", 'esm'],
    [
      'the same module twice, as one',
      "import a from './sites.json'; const b = (await import('./lib/../sites.json')).default; const got = a === b;",
      'true',
    ],
    [
      'a module through a link in the project',
      "import { name } from './linked/esm.js'; const got = name;",
      'esm',
    ],
    ['a package', "import plain from 'plain'; const got = plain();", 'plain'],
    ['a name of a CommonJS package', "import { named } from 'plain'; const got = named;", 'plain'],
    ['a file of a package', "import { sub } from 'plain/sub.js'; const got = sub;", 'sub'],
    ['a package without a main file', "import { bare } from 'bare'; const got = bare;", 'bare'],
    ['a package with conditions', "import { how } from '@scope/dual'; const got = how;", 'import'],
    ['a pattern of a package', "import x from '@scope/dual/deep/x'; const got = x;", 'deep'],
    ['a package from a store', "import { kept } from 'kept'; const got = kept;", 'kept dep'],
    ['an import of package.json', "import x from '#inner'; const got = x;", 'inner'],
    [
      'the builders of Rampart',
      "import { host } from 'rampart'; const got = host({ name: 'built' }).name;",
      'built',
    ],
  ];

  test('modules, files and packages, from wherever the project has them', async () => {
    await putFiles(
      cwd,
      Object.fromEntries(
        imports.map(([, text], at) => [`got${at}.ts`, `${text}\nexport default String(got);`]),
      ),
    );
    const head = imports.map((_, at) => `import got${at} from './got${at}.ts';\n`).join('');
    const names = imports.map((_, at) => `{ name: '${at} ' + got${at} }`).join(', ');
    const { result } = await load(`${head}export default { hosts: [${names}] };`);
    if (!result.ok) throw new Error(result.problems[0]?.message);
    const found = imports.map(([what], at) => `${what}: ${result.value.at(at).name}`);
    expect(found).toEqual(imports.map(([what, , got], at) => `${what}: ${at} ${got}`));
  });

  test('or requires, in CommonJS', async () => {
    const text =
      "const { how } = require('@scope/dual');\nconst data = require('./sites');\nconst { host } = require('rampart');\nmodule.exports = { hosts: [host({ name: how + data.sites[0] })] };";
    const { file, result } = await load(text, 'cjs');
    expect(result.ok && result.value.at(0).name).toBe('requireA');
    expect(result.ok && result.value.placeOf(0)).toMatchObject({ file, line: 4, col: 28 });
  });
});

test.each([
  [
    'on the first line of CommonJS',
    "import { f } from './lib/throws.cjs';\nf();",
    'the script throws: from common',
    { file: 'lib/throws.cjs', line: 1, col: 31 },
  ],
  [
    'in JSON',
    "import x from './lib/broken.json';",
    'the file is not valid JSON',
    { file: 'lib/broken.json', line: 2 },
  ],
  [
    'of the syntax in TypeScript',
    "import x from './lib/mistake.ts';",
    'the script has a syntax error',
    { file: 'lib/mistake.ts', line: 2 },
  ],
  [
    'of the syntax in CommonJS',
    "import x from './lib/mistake.cjs';",
    'the script has a syntax error',
    { file: 'lib/mistake.cjs', line: 2 },
  ],
  [
    'of an encoding',
    "const a = 1;\nimport x from './lib/latin.txt';",
    'the file is not UTF-8 from here on',
    { line: 2, col: 15 },
  ],
  [
    'of a path that a package does not export',
    "import x from '@scope/dual/esm.mjs';",
    'the module "@scope/dual/esm.mjs" can\'t be found',
    { line: 1, col: 15 },
  ],
  [
    'of a file outside',
    "import x from '../outside.ts';",
    '../outside.ts is not a file of this project',
    { line: 1, col: 15 },
  ],
])('an error names the file and the line of the source %s', async (_case, text, message, place) => {
  const { file, result } = await load(`${text}\nexport default { hosts: [] };`);
  expect(result.problems).toMatchObject([{ code: 'script-failed', place: { file, ...place } }]);
  expect(result.problems[0]?.message).toContain(message);
  expect(result.problems[0]?.message).not.toContain(cwd);
});
