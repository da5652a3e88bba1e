import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Desired } from '../../../src/core/model/desired.ts';
import { loadDesired } from '../../../src/input/load-desired.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import { renderProblems } from '../../../src/output/review/problem-text.ts';

const canary = 'canary-0f9b61c4';

let outer: string;
let cwd: string;

beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'rampart-hostile-'));
  cwd = join(outer, 'project');
  await put({
    'package.json': '{"type":"module"}',
    '.git/config': canary,
    '.env': canary,
    '../beside': canary,
  });
});

afterEach(() => rm(outer, { recursive: true }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
}

const empty = 'export default { hosts: [] };\n';

/** Scripts that try something each, all in one process; what came of each. */
async function tried(attempts: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const cases = Object.entries(attempts).map(
    ([name, code]) => `await attempt(${JSON.stringify(name)}, async () => { ${code} });`,
  );
  await put({
    'fleet.ts': `import * as fs from 'node:fs';
import Module, { createRequire } from 'node:module';
const hosts: unknown[] = [];
const all = globalThis as any;
const require = createRequire(import.meta.url);
async function attempt(name: string, code: () => Promise<unknown>) {
  let end = 'refused';
  try {
    const got = await code();
    if (got !== undefined) end = 'got ' + String(got).slice(0, 200);
  } catch {}
  hosts.push({ name: name + ': ' + end });
}
${cases.join('\n')}
export default { hosts };
`,
  });
  const state = await loaded();
  return Object.fromEntries(
    Array.from(
      { length: state.count },
      (_, index) => (state.at(index).name ?? '').split(': ', 2) as [string, string],
    ),
  );
}

async function loaded(): Promise<Desired> {
  const result = await loadDesired(['fleet.ts'], { cwd, env: process.env });
  if (!result.ok) throw new Error(renderProblems(result.problems, { color: plainColor }));
  return result.value;
}

async function expectRefused(attempts: Readonly<Record<string, string>>): Promise<void> {
  const refused = Object.keys(attempts).map((name) => [name, 'refused']);
  expect(await tried(attempts)).toEqual(Object.fromEntries(refused));
}

/** The command line, as a process of its own: what it prints. */
async function validated(
  env: Readonly<Record<string, string>>,
  descriptors: readonly (number | 'ignore')[] = [],
): Promise<string> {
  const main = new URL('../../../bin/rampart.js', import.meta.url).pathname;
  const running = spawn(process.execPath, [main, 'validate', '-f', 'fleet.ts'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
  });
  let text = '';
  for (const stream of [running.stdout, running.stderr]) {
    stream?.on('data', (chunk) => {
      text += String(chunk);
    });
  }
  await new Promise((done) => running.on('close', done));
  return text;
}

describe('a hostile script', () => {
  test('reads nothing of other processes, and no file outside its project', async () => {
    const paths = [
      '/proc/self/environ',
      '/proc/self/maps',
      '/proc/1/cwd/etc/passwd',
      '/proc/self/cwd/beside',
      '/dev/fd/0',
      '/etc/passwd',
      '../beside',
      'x/../../beside',
      '.git/config',
      '.env',
    ];
    const reads = paths.map((path) => [path, `return fs.readFileSync(${JSON.stringify(path)}, 'utf8');`]);
    await expectRefused({
      ...Object.fromEntries(reads),
      'environment of the parent': "return fs.readFileSync(`/proc/${process.ppid}/environ`, 'utf8');",
      'memory of the parent': "return fs.openSync(`/proc/${process.ppid}/mem`, 'r');",
      'files of the parent': 'return fs.readdirSync(`/proc/${process.ppid}/fd`);',
      'a module': "return await import('../beside');",
      'a module of JSON': "return await import('/etc/passwd', { with: { type: 'json' } });",
      'a required file': "return require('/proc/self/environ');",
      'a package': "return (Module as any)._readPackage('/');",
      'a blob': "return (await fs.openAsBlob('/etc/passwd')).text();",
      'a buffer as path': "return fs.readFileSync(Buffer.from('/etc/passwd'));",
      'a promise': "return fs.promises.readFile('/etc/passwd');",
      'a stream': "for await (const each of fs.createReadStream('/etc/passwd')) return each;",
      'a folder': "return fs.readdirSync('..');",
      'that a file exists': "return fs.existsSync('/etc/passwd') || undefined;",
      'an env file': "return (process as any).loadEnvFile('.env') ?? 'loaded';",
    });
  });

  test('reads no more by a name that is a pattern to Node', async () => {
    await put({
      '*': 'star',
      'a*/b': 'star',
      'a*/.env': canary,
      'b/.env': canary,
      'b/*': 'star',
      'b/c/d': 'plain',
    });
    await expectRefused({
      'Git folder': "return fs.readFileSync('.git/config', 'utf8');",
      'hidden file': "return fs.readFileSync('b/.env', 'utf8');",
      'hidden file below a star': "return fs.readFileSync('a*/.env', 'utf8');",
    });
    expect(await tried({ plain: "return fs.readFileSync('b/c/d', 'utf8');" })).toEqual({
      plain: 'got plain',
    });
  });

  test('is not run if a star in its path would stand for other folders', async () => {
    cwd = join(outer, 'pro*');
    await put({ 'package.json': '{"type":"module"}', 'fleet.ts': empty });
    expect((await loadDesired(['fleet.ts'], { cwd, env: {} })).problems).toMatchObject([
      { code: 'script-failed', message: 'a folder above the script has "*" in its name' },
    ]);
  });

  test('writes no file and makes no link', async () => {
    await expectRefused({
      'a file': "fs.writeFileSync('made', ''); return 'made';",
      'a link': "fs.symlinkSync('/proc', 'made'); return 'made';",
      'a hard link': "fs.linkSync('/etc/passwd', 'made'); return 'made';",
      'a copy': "fs.cpSync('/etc/passwd', 'made'); return 'made';",
      'a database': "const { DatabaseSync } = await import('node:sqlite'); return new DatabaseSync('made');",
    });
  });

  test('has no module of Node but those that compute or read files', async () => {
    const names =
      'async_hooks child_process cluster dgram diagnostics_channel dns dns/promises domain http http2 https inspector inspector/promises net os perf_hooks repl sea sqlite test tls trace_events tty v8 vm wasi worker_threads'.split(
        ' ',
      );
    const ways = names.flatMap((name) => [
      [`import ${name}`, `return await import('node:${name}');`],
      [`require ${name}`, `return require('node:${name}');`],
    ]);
    await expectRefused({
      ...Object.fromEntries(ways),
      'a bare name': "return await import('net');",
      'the loader': "return (Module as any)._load('net');",
      'a data URL':
        'return await import(\'data:text/javascript,import n from "node:net"; export default n\');',
      'hooks of its own': "(Module as any).registerHooks({}); return 'hooked';",
      'hooks in a thread': "(Module as any).register('data:text/javascript,'); return 'hooked';",
      'the process': "return (process as any).getBuiltinModule('net');",
      'a binding': "return (process as any).binding('tcp_wrap');",
      'an addon': "(process as any).dlopen({ exports: {} }, 'x.node'); return 'loaded';",
      'an engine': "require('node:crypto').setEngine('x.so'); return 'loaded';",
      'other methods of prototypes': `
        const { startsWith, slice } = String.prototype;
        try {
          String.prototype.startsWith = () => false;
          String.prototype.slice = () => 'path';
          (Object.prototype as any).net = true;
          return await import('node:net');
        } finally {
          String.prototype.startsWith = startsWith;
          String.prototype.slice = slice;
          delete (Object.prototype as any).net;
        }`,
      'another resolution': `
        const { _resolveFilename } = Module as any;
        try {
          (Module as any)._resolveFilename = () => 'net';
          return require('./fleet');
        } finally {
          (Module as any)._resolveFilename = _resolveFilename;
        }`,
    });
  });

  test('reaches no network, and no class that could connect', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { readonly port: number };
    const globals = [
      'WebSocket',
      'EventSource',
      'Request',
      'Response',
      'Headers',
      'FormData',
      'localStorage',
    ];
    const socketClass = (holder: string) =>
      `return 'connect' in ${holder}.constructor.prototype || undefined;`;
    await expectRefused({
      ...Object.fromEntries(globals.map((name) => [name, `return all.${name};`])),
      fetch: `return await fetch('http://127.0.0.1:${port}/');`,
      'standard output': socketClass('(process.stdout as any)'),
      'standard error': socketClass('(process.stderr as any)'),
      'the console': socketClass('(console as any)._stdout'),
      'standard input': 'return (process as any).stdin;',
      'the client of streamed WebAssembly': 'return all.WebAssembly.compileStreaming;',
      'the dispatcher of the client': "return all[Symbol.for('undici.globalDispatcher.1')];",
    });
    server.close();
    expect(connections).toBe(0);
  });

  test('sends no signal, not even through the object that the process really is', async () => {
    await expectRefused({
      kill: "(process as any).kill(process.ppid, 'SIGUSR1'); return 'sent';",
      'kill of Node': '(process as any)._kill(process.ppid, 10); return "sent";',
      'a debugger': '(process as any)._debugProcess(process.ppid); return "sent";',
      'the receiver of events': `
        const { EventEmitter } = await import('node:events');
        const { emit } = EventEmitter.prototype;
        let seen: any;
        EventEmitter.prototype.emit = function (this: unknown, ...rest: any) { seen = this; return emit.apply(this as any, rest); } as any;
        process.emitWarning('x');
        await new Promise((done) => setTimeout(done, 10));
        EventEmitter.prototype.emit = emit;
        return seen.kill;`,
    });
  });

  test('finds no secret in its environment, nor in files that somebody handed to Rampart', async () => {
    const secret = openSync(join(outer, 'beside'), 'r');
    await put({
      'fleet.ts': `import * as fs from 'node:fs';
console.log(JSON.stringify(process.env));
for (let each = 0; each < 64; each += 1) {
  try {
    const bytes = Buffer.alloc(64);
    console.log(bytes.toString('utf8', 0, fs.readSync(each, bytes, 0, 64, 0)));
  } catch {}
}
${empty}`,
    });
    // Node itself closes those that come in a row.
    const covered = [...Array.from({ length: 40 }, () => 'ignore' as const), secret];
    const printed = await validated({ RAMPART_PSK: canary, SOME_TOKEN: canary }, covered);
    closeSync(secret);
    expect(printed).toContain('"PATH"');
    expect(printed).toContain('Valid: 0 entries');
    expect(printed).not.toContain(canary);
    expect(printed).not.toContain('[secret]');
  });

  test("can't have a file quoted by the place that it says an entry comes from", async () => {
    for (const file of ['../beside', '.git/config', '.env'].map((path) => join(cwd, path))) {
      const source = { file: `file://${file}`, line: 1 };
      await put({
        'fleet.ts': `export default { hosts: [{ id: 'x', source: ${JSON.stringify(source)} }] };`,
      });
      const { ok, problems } = await loadDesired(['fleet.ts'], { cwd, env: {} });
      expect(ok).toBe(false);
      expect(JSON.stringify(problems)).not.toContain(canary);
    }
  });

  test.each([
    ['a value of another shape', '{"kind":"value","value":{"items":5}}'],
    ['a message that is no text', '{"kind":"failed","message":{"toString":1}}'],
    ['a place that is none', '{"kind":"failed","message":"x","at":{"file":5,"line":-1}}'],
    ['a prototype', '{"__proto__":{"kind":"value"}}'],
    ['depth', `{"kind":"value","value":${'{"items":['.repeat(5000)}"x"${']}'.repeat(5000)}}`],
  ])('that writes the reply itself, with %s, is a problem with a place', async (_, reply) => {
    await put({
      'fleet.cjs': `require('node:fs').writeSync(3, ${JSON.stringify(reply)}); process.reallyExit(0);`,
    });
    expect((await loadDesired(['fleet.cjs'], { cwd, env: {} })).problems).toMatchObject([
      { code: 'script-failed', place: { file: 'fleet.cjs' } },
    ]);
  });
});

describe('a link in the project of a script', () => {
  test.each([
    ['proc', '/proc', 'leads to the processes of this machine'],
    ['deep/er/link', '/proc/self/cwd', 'depends on who follows it'],
    ['deep/beside.txt', '../../beside', 'leads to a file beside the project'],
    ['config.txt', '.git/config', 'leads to what is hidden'],
    ['missing', '/nowhere', 'leads to nothing yet'],
    ['deep/er/up', '../../flat', 'leads to a folder of the project, out of which ".." climbs too far'],
    ['node_modules/up', '..', 'leads out of the packages'],
  ])('is refused before the script runs: %s to %s %s', async (link, target) => {
    await put({
      'deep/er/x': '',
      'flat/x': '',
      'node_modules/x/x': '',
      'fleet.ts': `console.log('ran');${empty}`,
    });
    await symlink(target, join(cwd, link));
    const printed: string[] = [];
    const { ok, problems } = await loadDesired(['fleet.ts'], {
      cwd,
      env: {},
      onOutput: (text) => printed.push(text),
    });
    expect(ok).toBe(false);
    expect(problems).toMatchObject([
      {
        code: 'script-failed',
        message: `the script is not run because a link points outside its project: ${link}`,
      },
    ]);
    expect(printed).toEqual([]);
    expect(JSON.stringify(problems)).not.toContain(canary);
  });

  test('may lead to a file of it, and packages may be linked as package managers do', async () => {
    await put({
      'names.json': '["A"]',
      'node_modules/.store/site@1/node_modules/site/index.js': "module.exports = 'B';",
      'node_modules/.store/site@1/node_modules/site/package.json': '{}',
      'fleet.ts': `import { readFileSync } from 'node:fs';
import site from 'site';
export default { hosts: [...JSON.parse(readFileSync('link.json', 'utf8')), site].map((name) => ({ name })) };`,
    });
    await symlink('names.json', join(cwd, 'link.json'));
    await symlink('.store/site@1/node_modules/site', join(cwd, 'node_modules/site'));
    const state = await loaded();
    expect([state.at(0).name, state.at(1).name]).toEqual(['A', 'B']);
  });
});
