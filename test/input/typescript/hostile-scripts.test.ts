import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadDesired } from '../../../src/input/load-desired.ts';
import { decodeFleet } from '../../../src/input/typescript/decode-fleet.ts';
import { readMessage } from '../../../src/input/typescript/read-message.ts';
import { newFolder, putFiles } from '../../given/folder.ts';

const canary = 'canary-0f9b61c4';

let outer: string;
let cwd: string;

beforeEach(async () => {
  outer = newFolder();
  cwd = join(outer, 'project');
  await put({
    'package.json': '{"type":"module"}',
    '.git/config': canary,
    '.env': canary,
    '../beside': canary,
  });
});

const put = (files: Parameters<typeof putFiles>[1]) => putFiles(cwd, files);

const endless = 'the script did not end and was stopped after 1 s';
const tooMuch = 'the script ran out of memory';
const tooDeep = 'the script calls itself too deeply';

describe('an endless script gets an error with its location', () => {
  test.each([
    ['a loop in a function', 'let a = 1;\nfunction f() {\n  while (true) a += 1;\n}\nf();', endless, 2],
    ['a loop after a promise', 'await 1;\nfor (;;) String(1);', endless, 2],
    [
      'a chain of promises',
      'const next = () =>\n  Promise.resolve().then(next);\nawait next();',
      endless,
      undefined,
    ],
    [
      'a loop in a getter',
      'export const a = 1;\nconst o = { get x() { for (;;); } };\nexport default { hosts: [o] };',
      endless,
      2,
    ],
    ['a generator', 'function* g() {\n  for (;;) yield 1;\n}\nArray.from(g());', undefined, undefined],
    ['a regular expression', "'a'.repeat(100000).match(/(a|a)*c/);", endless, 1],
    [
      'a promise that is awaited',
      'await new Promise(() => {});\nexport default {};',
      'the script waits for a promise that never settles',
      2,
    ],
    ['a text', "let s = 'x';\nfor (;;) s += s;", 'the script throws: InternalError: string too long', 2],
    ['recursion', 'const f = () =>\n  f() + 1;\nf();', tooDeep, 2],
    ['recursion of a getter', 'const o = {\n  get x() { return this.x; },\n};\no.x;', tooDeep, 2],
    ['recursion of a proxy', 'const p = new Proxy({}, {\n  get: (_, key) => p[key],\n});\np.x;', tooDeep, 2],
    ['recursion of a constructor', 'class A {\n  constructor() { new A(); }\n}\nnew A();', tooDeep, 2],
    ['nested evaluation', "eval('('.repeat(100000));", tooDeep, undefined],
    [
      'a nested list',
      'let a = [];\nfor (let i = 0; i < 200000; i += 1) a = [a];\nexport default a;',
      undefined,
      undefined,
    ],
  ])('%s', async (_case, code, message, line) => {
    await put({ 'fleet.ts': code.includes('export') ? code : `${code}\nexport default {};` });
    const printed: string[] = [];
    const result = await loadDesired(['fleet.ts'], {
      cwd,
      timeLimitMs: 1_000,
      onOutput: (text) => printed.push(text),
    });
    expect(result.problems).toMatchObject([
      {
        code: message === undefined ? expect.any(String) : 'script-failed',
        ...(message === undefined ? {} : { message }),
        place: { file: 'fleet.ts', ...(line === undefined ? {} : { line }) },
      },
    ]);
    expect(printed).toEqual([]);
  });

  test.each([
    ['arrays', 'const all = [];\nfor (;;) all.push(new Float64Array(1e6));', 2],
    ['a list', 'const a = 1;\nnew Array(2 ** 32 - 1).fill(0);', 2],
    ['objects', 'const all = [];\nfor (;;) all.push({});', undefined],
  ])('memory for %s', { timeout: 120_000 }, async (_case, code, line) => {
    await put({ 'fleet.ts': `${code}\nexport default {};` });
    const { problems } = await loadDesired(['fleet.ts'], { cwd, timeLimitMs: 100_000 });
    expect(problems).toMatchObject([
      {
        code: 'script-failed',
        message: tooMuch,
        place: { file: 'fleet.ts', ...(line === undefined ? {} : { line }) },
      },
    ]);
  });

  test('imports that are missing, many times', { timeout: 120_000 }, async () => {
    await put({
      'fleet.ts':
        'let n = 0;\nfor (;;) await import(`./x${n++}.ts`).catch((e) => { if (/10000/.test(e.message)) throw e; });\nexport default {};',
    });
    const { problems } = await loadDesired(['fleet.ts'], { cwd, timeLimitMs: 60_000 });
    expect(problems).toMatchObject([{ message: 'the script imports more than 10000 modules' }]);
  });
});

describe('a change of a prototype', () => {
  test('gets an error with its location', async () => {
    await put({ 'fleet.ts': 'const a = 1;\n  Object.prototype.x = 1;\nexport default { hosts: [] };' });
    const { problems } = await loadDesired(['fleet.ts'], { cwd });
    expect(problems).toMatchObject([
      {
        code: 'script-failed',
        message: expect.stringMatching(/^the script throws: TypeError: /),
        place: { file: 'fleet.ts', line: 2 },
      },
    ]);
    expect(problems[0]?.hint).toContain('Object.prototype');
  });

  test('is an error in any way', async () => {
    const changes = [
      'Object.prototype.toString = () => "x"',
      "Object.defineProperty(Object.prototype, 'x', { value: 1 })",
      '({}).__proto__.x = 1',
      'delete Object.prototype.toString',
      'Array.prototype.last = function () {}',
      'Array.prototype.map = () => []',
      'Array.prototype[0] = 1',
      'Object.setPrototypeOf(Array.prototype, {})',
    ];
    const attempts = changes.map((change) => `attempt(() => { ${change}; });\n`).join('');
    const head = `const hosts = [];
function attempt(change) {
  try { change(); hosts.push({ name: 'changed ' + hosts.length }); }
  catch (error) { hosts.push({ name: error.name + ' ' + hosts.length }); }
}
`;
    await put({ 'fleet.ts': `${head}${attempts}export default { hosts };` });
    const result = await loadDesired(['fleet.ts'], { cwd });
    if (!result.ok) throw new Error(result.problems[0]?.message);
    const outcomes = changes.map((change, at) => `${change}: ${result.value.at(at).name}`);
    expect(outcomes).toEqual(changes.map((change, at) => `${change}: TypeError ${at}`));
  });

  test('but an object can have a method of the same name', async () => {
    await put({
      'fleet.cjs':
        "function Site() {}\nSite.prototype.toString = () => 'A';\nconst o = {};\no.valueOf = () => 'B';\nmodule.exports = { hosts: [{ name: String(new Site()) }, { name: o.valueOf() }] };",
    });
    const result = await loadDesired(['fleet.cjs'], { cwd });
    expect(result.ok && [result.value.at(0).name, result.value.at(1).name]).toEqual(['A', 'B']);
  });
});

/** What a program prints that was given an open file as descriptor 43, and has `runApart`. */
async function printedBy(code: string): Promise<string> {
  const secret = openSync(join(outer, 'beside'), 'r');
  const module = new URL('../../../src/input/typescript/script-process.ts', import.meta.url).href;
  // Node itself closes consecutive ones.
  const descriptors = [...Array.from({ length: 40 }, () => 'ignore' as const), secret];
  const running = spawn(
    process.execPath,
    ['--input-type=module', '--eval', `import { runApart } from ${JSON.stringify(module)};\n${code}`],
    { env: { ...process.env, RAMPART_PSK: canary }, stdio: ['ignore', 'pipe', 'inherit', ...descriptors] },
  );
  let text = '';
  for await (const chunk of running.stdout as NodeJS.ReadableStream) text += String(chunk);
  closeSync(secret);
  return text;
}

test('the process of a script has no environment, and no files that were passed to Rampart', async () => {
  const inside = `const fs = process.getBuiltinModule('fs');
const found = [process.env];
for (let each = 0; each < 64; each += 1) {
  try {
    const bytes = Buffer.alloc(64);
    if (each !== 3 && fs.readSync(each, bytes, 0, 64, 0) > 0) found.push(bytes.toString());
  } catch {}
}
fs.writeSync(3, JSON.stringify(found) + '\\n');`;
  const printed = await printedBy(
    `await runApart(['--input-type=module', '--eval', ${JSON.stringify(inside)}], { timeLimitMs: 60_000, onLine: (line) => { console.log(line); } });`,
  );
  expect(JSON.parse(printed)).toEqual([{}]);
});

test('a process of a script that cannot start says why, although files were passed to Rampart', async () => {
  const printed = await printedBy(`Object.defineProperty(process, 'execPath', { value: '/no/such/node' });
console.log((await runApart([], { timeLimitMs: 60_000, onLine: () => undefined })).why);`);
  expect(printed.trim()).toBe('spawn /no/such/node ENOENT');
});

test('a place that a script invents never quotes a file outside the project', async () => {
  for (const file of [
    'file:///../beside',
    'file:///.git/config',
    'file:///.env',
    'file:///..%2fbeside',
    '../beside',
    join(outer, 'beside'),
  ]) {
    await put({
      'fleet.ts': `export default { hosts: [{ id: 'x', source: ${JSON.stringify({ file, line: 1 })} }] };`,
    });
    const { ok, problems } = await loadDesired(['fleet.ts'], { cwd });
    expect(ok).toBe(false);
    expect(JSON.stringify(problems)).not.toContain(canary);
  }
});

test.each([
  ['a message that is no text', '{"kind":"failed","message":{"toString":1}}', undefined],
  [
    'a place that is none',
    '{"kind":"failed","message":"x","at":{"file":5,"line":-1}}',
    { kind: 'failed', message: 'x' },
  ],
  ['no message', '{"kind":"failed"}', undefined],
  ['no object', '5', undefined],
  ['no JSON', '{', undefined],
  ['a prototype', '{"__proto__":{"kind":"value"}}', undefined],
  ['a request of another shape', '{"kind":"find","request":5}', undefined],
  ['a text of another shape', '{"kind":"print","text":[]}', undefined],
])('a process that breaks out of QuickJS and sends %s is not trusted', (_case, line, message) => {
  expect(readMessage(line)).toEqual(message);
});

test('a fleet that is nested too deeply for any encoder is refused', () => {
  expect(decodeFleet(JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`), 'mark:')).toBe(undefined);
});
