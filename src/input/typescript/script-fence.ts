import { writeSync } from 'node:fs';
import Module, { registerHooks, syncBuiltinESMExports } from 'node:module';
import { Writable } from 'node:stream';

/** The Node modules that compute, or that read files under its permission model. All others are refused. */
const allowed: Readonly<Record<string, true | undefined>> = table([
  [
    'assert',
    'assert/strict',
    'buffer',
    'console',
    'constants',
    'crypto',
    'events',
    'fs',
    'fs/promises',
    'module',
  ],
  ['path', 'path/posix', 'path/win32', 'process', 'punycode', 'querystring', 'readline', 'readline/promises'],
  [
    'stream',
    'stream/consumers',
    'stream/promises',
    'stream/web',
    'string_decoder',
    'timers',
    'timers/promises',
  ],
  ['url', 'util', 'util/types', 'zlib'],
]);

const allowedOfProcess = table([
  [
    'version',
    'versions',
    'arch',
    'platform',
    'release',
    'config',
    'features',
    'env',
    'argv',
    'argv0',
    'execArgv',
  ],
  [
    'execPath',
    'pid',
    'ppid',
    'title',
    'cwd',
    'exit',
    'exitCode',
    'reallyExit',
    'nextTick',
    'emitWarning',
    'uptime',
  ],
  [
    'hrtime',
    'memoryUsage',
    'cpuUsage',
    'resourceUsage',
    'constrainedMemory',
    'availableMemory',
    'permission',
  ],
  ['domain', 'stdout', 'stderr', '_events', '_eventsCount', '_maxListeners', '_exiting', '_tickCallback'],
  ['_fatalException', 'getuid', 'geteuid', 'getgid', 'getegid', 'getgroups', 'sourceMapsEnabled'],
  [
    'setUncaughtExceptionCaptureCallback',
    'hasUncaughtExceptionCaptureCallback',
    'allowedNodeEnvironmentFlags',
  ],
]);

/** The functions that load CommonJS modules. The script could use hooks to bypass the fence. */
const allowedOfModule = table([
  [
    'name',
    'length',
    'prototype',
    'Module',
    'builtinModules',
    'isBuiltin',
    'createRequire',
    'globalPaths',
    'wrap',
  ],
  [
    'wrapper',
    'stripTypeScriptTypes',
    '_cache',
    '_pathCache',
    '_extensions',
    '_readPackage',
    '_findPath',
    '_stat',
  ],
  ['_nodeModulePaths', '_resolveLookupPaths', '_load', '_resolveFilename', '_initPaths'],
]);

/** All of these are parts of Node's HTTP client, or of its database. */
const takenGlobals = [
  [
    'fetch',
    'FormData',
    'Headers',
    'Request',
    'Response',
    'WebSocket',
    'EventSource',
    'MessageEvent',
    'CloseEvent',
  ],
  ['Storage', 'localStorage', 'sessionStorage'],
].flat();

/**
 * Removes from this process what a script does not need. Node's permission model blocks files, processes and threads,
 * but not the network, signals to other processes, or databases, which could also write.
 *
 * The script runs in the same realm and may replace any method of any prototype, so code that runs later uses only
 * syntax and functions that were saved before.
 */
export function raiseFence(): void {
  const startsWith = String.prototype.startsWith.call.bind(String.prototype.startsWith);
  const slice = String.prototype.slice.call.bind(String.prototype.slice);
  const isAllowed = (url: string) => !startsWith(url, 'node:') || allowed[slice(url, 5) as string] === true;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (!isAllowed(found.url)) throw refused(found.url, { specifier, parent: context.parentURL });
      return found;
    },
    load(url, context, next) {
      if (!isAllowed(url)) throw refused(url);
      return next(url, context);
    },
  });
  for (const name of takenGlobals) take(globalThis, name);
  Object.defineProperty(globalThis, 'fetch', { value: refuseNetwork });
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: object };
  take(WebAssembly, 'compileStreaming');
  take(WebAssembly, 'instantiateStreaming');
  // Node's HTTP client sets this property if something loads it after all; that then fails.
  Object.defineProperty(globalThis, Symbol.for('undici.globalDispatcher.1'), { value: undefined });
  // Node's own pipe is a socket, whose class could connect to any address.
  Object.defineProperty(process, 'stdout', { value: outputTo(1) });
  Object.defineProperty(process, 'stderr', { value: outputTo(2) });
  keepOnly(process, allowedOfProcess);
  keepOnly(Module, allowedOfModule);
  syncBuiltinESMExports();
}

/** Has the form of Node's own error, so that both are explained the same way. */
function refused(resource: string, mention: object = {}): Error {
  const error = new Error(`scripts can't use ${resource}`);
  return Object.assign(error, { code: 'ERR_ACCESS_DENIED', permission: 'Module', resource, ...mention });
}

async function refuseNetwork(): Promise<never> {
  throw refused('the network');
}

function keepOnly(target: object, kept: Readonly<Record<string, true | undefined>>): void {
  for (const name of Reflect.ownKeys(target)) {
    if (typeof name === 'string' && kept[name] !== true) take(target, name);
  }
}

/** Fails if that is impossible: then no script runs. */
function take(target: object, name: string): void {
  if (!Reflect.deleteProperty(target, name)) throw new Error(`this version of Node can't disable ${name}`);
}

function outputTo(descriptor: number): Writable {
  return new Writable({
    decodeStrings: true,
    write(chunk: Uint8Array, _encoding, done) {
      for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
      done();
    },
  });
}

function table(names: readonly (readonly string[])[]): Readonly<Record<string, true | undefined>> {
  const kept: Record<string, true | undefined> = Object.create(null) as Record<string, true | undefined>;
  for (const name of names.flat()) kept[name] = true;
  return Object.freeze(kept);
}
