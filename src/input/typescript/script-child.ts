import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ScriptReport } from '../sources/script-output.ts';
import { encodeValue } from './encode-value.ts';
import { type Failure, failureOf, innermost, type Loading } from './script-failure.ts';
import { raiseFence } from './script-fence.ts';

/**
 * The main module of the child process. It runs the script that its argument names, reports the result on file
 * descriptor 3, and exits.
 */
const channel = 3;
/** Work that continues after the fleet is exported, such as a timer, is awaited no longer than this. */
const patienceMs = 1000;
const face = new URL(`define-fleet${extname(import.meta.filename)}`, import.meta.url).href;
const script = pathToFileURL(process.argv[2] as string).href;
const { exit } = process;

const loading: Loading = { loaded: script, missing: undefined, isOver: false };

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'rampart') return { url: face, shortCircuit: true };
    try {
      return next(specifier, context);
    } catch (error) {
      loading.missing = { specifier, parent: context.parentURL ?? script };
      throw error;
    }
  },
  load(url, context, next) {
    loading.loaded = url;
    return next(url, context);
  },
});
raiseFence();

process.exit = (code) => {
  fail({ message: 'the script ends the process', hint: 'remove process.exit', ...innermost(new Error()) });
  return exit(code);
};
process.on('uncaughtException', (error) => end(() => fail(failureOf(error, loading))));
process.on('unhandledRejection', (error) => end(() => fail(failureOf(error, loading))));

try {
  const module = (await import(script)) as Readonly<Record<string, unknown>>;
  loading.isOver = true;
  const exported = module['default'];
  if (exported === undefined || isEmptyCommonJs(module)) {
    const others = Object.keys(module).filter((name) => name !== 'default' && name !== 'module.exports');
    const failure = {
      message: others.length === 0 ? 'the script exports nothing' : 'the script has no default export',
      hint: 'end it with "export default defineFleet({ … })"',
    };
    end(() => fail(failure));
  } else {
    const value: unknown = await (typeof exported === 'function' ? (exported as () => unknown)() : exported);
    // Not immediately: a promise that nothing awaits may still fail or add hosts.
    process.on('beforeExit', () => end(() => sendValue(value)));
    setTimeout(() => end(() => sendValue(value)), patienceMs).unref();
  }
} catch (error) {
  end(() => fail(failureOf(error, loading)));
}

function sendValue(value: unknown): void {
  try {
    send({ kind: 'value', value: encodeValue(value) });
  } catch (error) {
    fail(failureOf(error, loading));
  }
}

function end(last: () => void): never {
  last();
  return exit(0);
}

/** Node treats a file without imports and exports as CommonJS, which always has an export. */
function isEmptyCommonJs(namespace: Readonly<Record<string, unknown>>): boolean {
  const exports = namespace['module.exports'];
  return typeof exports === 'object' && exports !== null && Object.keys(exports).length === 0;
}

function fail(failure: Failure): void {
  send({ kind: 'failed', ...failure });
}

function send(report: ScriptReport): void {
  const bytes = Buffer.from(JSON.stringify(report));
  for (let at = 0; at < bytes.length; ) at += writeSync(channel, bytes, at);
}
