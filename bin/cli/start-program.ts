import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir, Module } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { type CompiledCode, packCode, unpackCode } from './code-cache.ts';

/** The hash of the parts of this build. Set when the command line is built. */
declare const BUILD: string;

/** The value of `exitCodes.invalid`, whose module this small file does not load. */
const invalidInput = 3;
const first = './program.cjs';
const [, , command = ''] = process.argv;
const folder = getCompileCacheDir();

const keepsCode = folder !== undefined && /^[a-z][a-z-]*$/.test(command);
loadProgram(keepsCode ? join(folder, `rampart-${BUILD}-${command}`) : undefined);

/**
 * Loads the parts of the program as `require` does, with the code that V8 compiled when this command ran before. Node's
 * compile cache contains only the code that a file runs when it is loaded; V8 would compile all other functions again
 * in each run. The file is in the folder of that cache, so anyone who can't change the cache can't change the file
 * either. Invalid input writes no file: otherwise each misspelled command would leave one. Without a file, nothing is
 * cached.
 */
function loadProgram(file: string | undefined): void {
  const known = file === undefined ? new Map<string, Uint8Array>() : readCode(file);
  const compiled = new Map<string, Script>();
  const parts = new Map<string, Module>();

  function load(name: string): unknown {
    if (!name.startsWith('./')) return require(name);
    const loaded = parts.get(name);
    if (loaded !== undefined) return loaded.exports;
    const [filename, text] = readPart(name);
    const part = new Module(filename);
    parts.set(name, part);
    require.cache[filename] = part;
    const source = `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
    const cachedData = known.get(name);
    const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
    if (script.cachedDataRejected !== false) compiled.set(name, script);
    script.runInThisContext().call(part.exports, part.exports, load, part, filename, __dirname);
    return part.exports;
  }
  load.main = require.main;

  // After some collections, V8 drops the code of functions that do not run any more, such as all that a command runs first.
  if (file !== undefined && known.size === 0) setFlag('--no-flush-bytecode');
  process.once('exit', (exitCode) => {
    if (file === undefined || compiled.size === 0 || exitCode === invalidInput) return;
    // V8 takes no code that was compiled with other flags.
    if (known.size === 0) setFlag('--flush-bytecode');
    const fresh = Array.from(compiled, ([name, script]) => [name, script.createCachedData()] as const);
    writeCode(file, new Map([...known, ...fresh]));
  });
  load(first);
}

/** Only the first run of a command loads this module of Node. */
function setFlag(flag: string): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(flag);
}

/** The path and the text of a part. Node reads this encoding fastest. */
function readPart(name: string): readonly [string, string] {
  const own = join(__dirname, name);
  try {
    return [own, readFileSync(own, 'utf8')];
  } catch {
    // Only the server needs it, so it is in the folder or package of the server.
    const beside = join(__dirname, '../server');
    const folder = existsSync(beside) ? beside : dirname(require.resolve('rampart-server/package.json'));
    const file = join(folder, name);
    if (existsSync(file)) return [file, readFileSync(file, 'utf8')];
    throw new Error('rampart and rampart-server are of different builds: install both from the same one');
  }
}

function readCode(file: string): CompiledCode {
  try {
    return unpackCode(readFileSync(file));
  } catch {
    return new Map();
  }
}

/** Replaces the file at once, because another process may read it. The program also works without the file. */
function writeCode(file: string, code: CompiledCode): void {
  try {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, packCode(code), { mode: 0o600 });
    renameSync(draft, file);
  } catch {}
}
