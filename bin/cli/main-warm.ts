import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir, Module } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { type KeptCode, packCode, unpackCode } from './kept-code.ts';

/** Tells the parts of one build from those of another. */
declare const BUILD: string;
/** The part that begins. */
const first = './start.cjs';

const [, , command = ''] = process.argv;
const folder = getCompileCacheDir();

if (folder === undefined || !/^[a-z][a-z-]*$/.test(command)) require(first);
else startWarm(join(folder, `rampart-${BUILD}-${command}`));

/**
 * Loads the parts as `require` would, with the code that V8 made of their functions when this command ran before. Node's
 * own cache keeps only what a file runs when it is loaded: all else was compiled again in each run, a tenth of its time.
 */
function startWarm(file: string): void {
  const kept = readKept(file);
  const made = new Map<string, Script>();

  function load(name: string): unknown {
    if (!name.startsWith('./')) return require(name);
    const filename = join(__dirname, name);
    const loaded = require.cache[filename];
    if (loaded !== undefined) return loaded.exports;
    const part = new Module(filename);
    require.cache[filename] = part;
    const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'latin1')}\n})`;
    const cachedData = kept.get(name);
    const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
    if (script.cachedDataRejected !== false) made.set(name, script);
    script.runInThisContext().call(part.exports, part.exports, load, part, filename, __dirname);
    return part.exports;
  }
  load.main = require.main;

  process.once('exit', () => {
    if (made.size === 0) return;
    const fresh = Array.from(made, ([name, script]) => [name, script.createCachedData()] as const);
    keep(file, new Map([...kept, ...fresh]));
  });
  load(first);
}

function readKept(file: string): KeptCode {
  try {
    return unpackCode(readFileSync(file));
  } catch {
    return new Map();
  }
}

/** As a whole or not at all, as others may read it meanwhile; a folder that can't be written to is no failure. */
function keep(file: string, code: KeptCode): void {
  try {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, packCode(code), { mode: 0o600 });
    renameSync(draft, file);
  } catch {}
}
