import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const project = join(import.meta.dirname, '..', '..');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A small checkout with the real set-up, whose `npm ci` is a stand-in that installs in a moment. */
export class Checkout implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'rampart-setup-'));
  readonly #npm = join(this.folder, 'npm', 'npm-cli.js');

  constructor() {
    for (const file of [
      'setup.mjs',
      'install-lock.mjs',
      'reason-to-install.mjs',
      'own-cache-folder.mjs',
      'rampart.js',
    ]) {
      cpSync(join(project, 'bin', file), join(this.folder, 'bin', file));
    }
    this.write('package.json', JSON.stringify({ name: 'small', type: 'module' }));
    this.lock({ left: '1.0.0' });
    this.write(
      'script.mjs',
      'console.log(JSON.stringify({ node: process.execPath, argv: process.argv.slice(2) }));',
    );
    this.npm();
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(path: string, text: string): string {
    const file = join(this.folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** The lock file, with these versions. */
  lock(versions: Readonly<Record<string, string>>): void {
    const packages = Object.entries(versions).map(
      ([name, version]) => [`node_modules/${name}`, { version }] as const,
    );
    const elsewhere = ['node_modules/for-another-platform', { version: '1.0.0', optional: true }] as const;
    this.write(
      'package-lock.json',
      JSON.stringify({
        packages: { '': { name: 'small' }, ...Object.fromEntries([...packages, elsewhere]) },
      }),
    );
  }

  /** What `npm ci` does here. */
  npm(
    behavior: { readonly exit?: number; readonly withoutNode?: boolean; readonly takes?: number } = {},
  ): void {
    const { exit = 0, withoutNode = false, takes = 0 } = behavior;
    this.write('npm/package.json', '{"type":"commonjs"}');
    this.write(
      'npm/npm-cli.js',
      `const fs = require('node:fs');
       const note = (text) => fs.appendFileSync(${JSON.stringify(this.#calls)}, text + '\\n');
       note('begin ' + process.argv.slice(2).join(' '));
       console.log('this is what npm prints');
       if (${exit} !== 0) process.exit(${exit});
       fs.rmSync('node_modules', { recursive: true, force: true });
       setTimeout(() => {
         fs.mkdirSync('node_modules/.bin', { recursive: true });
         fs.mkdirSync('node_modules/node/bin', { recursive: true });
         if (!${withoutNode}) {
           fs.symlinkSync(${JSON.stringify(process.execPath)}, 'node_modules/node/bin/node');
           fs.symlinkSync('../node/bin/node', 'node_modules/.bin/node');
         }
         const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
         delete packages[''];
         delete packages['node_modules/for-another-platform'];
         fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
         note('end');
       }, ${takes});`,
    );
  }

  /** The record of the npm stand-in: a line at its start and one at its end. */
  get npmCalls(): readonly string[] {
    return existsSync(this.#calls) ? readFileSync(this.#calls, 'utf8').trim().split('\n') : [];
  }

  get #calls(): string {
    return join(this.folder, 'npm-calls.txt');
  }

  /**
   * A folder with a `node` that records its calls and then is an old Node: the machine's own if that is older than the
   * pinned one, this one otherwise.
   */
  oldNode(): { readonly path: string; readonly calls: () => number } {
    const calls = join(this.folder, 'old-node-calls.txt');
    const script = `#!/bin/sh\necho "$@" >> '${calls}'\nexec '${olderNode()}' "$@"\n`;
    chmodSync(this.write('old/node', script), 0o755);
    return {
      path: join(this.folder, 'old'),
      calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n').length : 0),
    };
  }

  /** Runs a shell command here; `path` is added before PATH, which does not contain the pinned Node. */
  run(command: string, options: RunOptions = {}): Promise<Ended> {
    const child = spawn('/bin/sh', ['-c', command], { cwd: this.folder, env: this.#environment(options) });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString();
      if (options.onOutput !== undefined) options.onOutput(child.pid as number, stdout);
    });
    child.stderr.on('data', (data: Buffer) => {
      stderr += data.toString();
    });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
  }

  #environment(options: RunOptions): NodeJS.ProcessEnv {
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    const path = [options.path, ...machinePath()].filter(Boolean).join(delimiter);
    return { ...inherited, npm_execpath: this.#npm, PATH: path, ...options.env };
  }
}

interface RunOptions {
  readonly path?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the shell's process id and all of stdout so far. */
  readonly onOutput?: (pid: number, stdout: string) => void;
}

function machinePath(): readonly string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
}

function olderNode(): string {
  const own = machinePath()
    .map((folder) => join(folder, 'node'))
    .find((file) => existsSync(file));
  return own ?? process.execPath;
}
