import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadDesired } from '../../../src/input/load-desired.ts';
import { createModuleFinder } from '../../../src/input/typescript/find-module.ts';
import { runInQuickJs } from '../../../src/input/typescript/sandbox/run-in-quickjs.ts';
import { runApart } from '../../../src/input/typescript/script-process.ts';
import { newFolder, putFiles } from '../../given/folder.ts';
import { type Escape, escapes } from './escapes.ts';

const canary = 'canary-0f9b61c4';
const secretText = JSON.stringify({ secret: canary, own: false });

let outer: string;
let project: string;
let server: Server;
let port: number;
let heard: string;
let signals: number;
const count = () => {
  signals += 1;
};

beforeEach(async () => {
  outer = newFolder();
  project = join(outer, 'project');
  heard = '';
  signals = 0;
  process.on('SIGWINCH', count);
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      socket.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ({ port } = server.address() as { readonly port: number });
  await mkdir(join(outer, 'out'));
  await put({
    'package.json': '{"type":"module","imports":{"#outside":"../secret.json"}}',
    'own.json': '{"own":true}',
    'deep/x': '',
    '.env': secretText,
    '.git/config': secretText,
    'node_modules/.env': secretText,
    'node_modules/.store/x/.env': secretText,
    'node_modules/plain/package.json': '{}',
    'node_modules/leaving/package.json': '{"exports":"./../../../secret.json"}',
    'node_modules/leaving-by-main/package.json': '{"main":"../../../secret.json"}',
    '../secret.json': secretText,
    '../secret.env': `CANARY=${canary}\n`,
    '../linked/package.json': '{"main":"index.json"}',
    '../linked/index.json': secretText,
  });
  await symlink('../secret.json', join(project, 'link.json'));
  await symlink('..', join(project, 'folder'));
  await symlink('/proc', join(project, 'proc'));
  await symlink('/dev/zero', join(project, 'zero'));
  await symlink('../../linked', join(project, 'node_modules/linked'));
  execFileSync('mkfifo', [join(project, 'pipe')]);
});

afterEach(async () => {
  process.off('SIGWINCH', count);
  server.close();
  await rm(outer, { recursive: true });
});

const put = (files: Parameters<typeof putFiles>[1]) => putFiles(project, files);

/** The report of an attempt to the listener. */
function idOf(index: number): string {
  return `escape-${index}-x`;
}

/** A program that makes each attempt, and a function that finds out which of them reached something. */
function attempts(chosen: readonly string[], here: string): string {
  const secret = join(outer, 'secret.json');
  const given = { here, secret, secretUrl: pathToFileURL(secret).href, port, pid: process.pid };
  const each = chosen.map(
    (name, index) =>
      `await attempt(${JSON.stringify(name)}, '${idOf(index)}', ${JSON.stringify(join(outer, 'out', String(index)))}, async (name, out) => { ${escapes[name]?.code} });`,
  );
  return `const { ${Object.keys(given).join(', ')} } = ${JSON.stringify(given)};
const results = [];
const text = String;
async function attempt(name, id, out, code) {
  try {
    const got = await code(id, out);
    results.push({ name, got: text(got) });
  } catch {}
}
${each.join('\n')}
`;
}

function reached(chosen: readonly string[], results: string): readonly string[] {
  const got = new Map(
    (JSON.parse(results) as readonly { readonly name: string; readonly got: string }[]).map((each) => [
      each.name,
      each.got,
    ]),
  );
  return chosen.filter((name, index) => {
    const { reaches } = escapes[name] as Escape;
    return (
      got.get(name)?.includes(canary) === true ||
      heard.includes(idOf(index)) ||
      existsSync(join(outer, 'out', String(index))) ||
      (reaches === 'signal' && got.has(name) && signals > 0)
    );
  });
}

const all = Object.keys(escapes);
const real = all.filter((name) => escapes[name]?.reaches !== undefined);
const script = (chosen: readonly string[]) =>
  `${attempts(chosen, './')}export default { hosts: results.map(({ name, got }) => ({ name: name + ': ' + got })) };`;

describe('an escape from the sandbox', () => {
  test('is one of at least sixty attempts', () => {
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(real.length).toBeGreaterThanOrEqual(30);
  });

  test('is not possible for a script', async () => {
    await put({ 'fleet.js': script(all) });
    const printed: string[] = [];
    const result = await loadDesired(['fleet.js'], { cwd: project, onOutput: (text) => printed.push(text) });
    if (!result.ok) throw new Error(result.problems[0]?.message);
    const results = Array.from({ length: result.value.count }, (_, index) => {
      const [name = '', got = ''] = (result.value.at(index).name ?? '').split(/: (.*)/s, 2);
      return { name, got };
    });
    expect(reached(all, JSON.stringify(results))).toEqual([]);
    expect(`${JSON.stringify(results)} ${printed.join('')}`).not.toContain(canary);
    expect({ heard, signals }).toEqual({ heard: '', signals: 0 });
  });

  test('is blocked by QuickJS alone, without the permission model of Node', async () => {
    const path = join(project, 'fleet.js');
    const finder = createModuleFinder(project, { path, text: script(all) });
    const result = await runInQuickJs(
      { script: 'file:///fleet.js', timeLimitMs: 60_000, mark: 'mark:' },
      { find: finder.find, print: () => {} },
    );
    if (!('fleet' in result)) throw new Error(result.failure.message);
    expect(result.fleet).not.toContain(canary);
    expect(reached(all, '[]')).toEqual([]);
    expect({ heard, signals }).toEqual({ heard: '', signals: 0 });
  });

  test('is blocked by the permission model alone, except where Node has no permission for it', async () => {
    let results = '[]';
    const code = `${attempts(real, pathToFileURL(`${project}/`).href)}
process.getBuiltinModule('fs').writeSync(3, JSON.stringify(results) + '\\n');
process.exit(0);`;
    await runApart(['--input-type=module', '--eval', code], {
      timeLimitMs: 60_000,
      onLine: (line) => {
        results = line;
        return undefined;
      },
    });
    expect(results).not.toBe('[]');
    expect(reached(real, results)).toEqual(real.filter((name) => escapes[name]?.needsQuickJs === true));
  });

  test('succeeds in plain Node, so that a missing barrier would be noticed', async () => {
    const file = join(outer, 'plain.mjs');
    const results = join(outer, 'results.json');
    await writeFile(
      file,
      `${attempts(real, pathToFileURL(`${project}/`).href)}
process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(results)}, JSON.stringify(results));
process.exit(0);`,
    );
    await promisify(execFile)(process.execPath, [file], { env: { SECRET: canary }, cwd: outer });
    expect(reached(real, await readFile(results, 'utf8'))).toEqual(real);
  });
});
