/** What a script could reach if nothing held it: in plain Node, each of these is seen by a test. */
type Reached =
  /** The text of a file outside the project. */
  | 'secret'
  /** A listener on this machine. */
  | 'listener'
  /** A new file outside the project. */
  | 'file'
  /** Another process, by a signal. */
  | 'signal';

/**
 * An attempt to get out of the sandbox: the body of a function. It may use `here` (the project, as the start of a
 * specifier), `secret` (a path), `secretUrl`, `port`, `pid`, `out` (a path) and `name` (to name itself to the listener).
 */
export interface Escape {
  readonly code: string;
  /** What it reaches in plain Node; absent if it is an attack on QuickJS or on Rampart. */
  readonly reaches?: Reached;
  /** Node's permission model alone does not hold it. */
  readonly needsQuickJs?: true;
}

const readSecret = (fs: string) => `return (${fs}).readFileSync(secret, 'utf8');`;
const connect = (net: string) => `const net = ${net};
await new Promise((done, fail) => {
  const socket = net.connect(port, '127.0.0.1', () => socket.end(name, done));
  socket.on('error', fail);
});`;

/** Node's deserializer loads any built-in by name, and then reads a property of it. */
const cloned = (info: string) => `const symbols = Object.getOwnPropertySymbols(ReadableStream.prototype);
const transfer = symbols.find(({ description }) => description === 'messaging_transfer_symbol');
const stream = new ReadableStream();
Object.defineProperty(stream, transfer, { value: () => ({ data: {}, deserializeInfo: ${info} }) });
Object.defineProperty(Object.prototype, 'found', { get() { found = this; }, configurable: true });
try { structuredClone(stream, { transfer: [stream] }); } catch {} finally { delete Object.prototype.found; }`;

const builtins: Readonly<Record<string, Escape>> = {
  'import of a built-in': { code: readSecret("await import('node:fs')"), reaches: 'secret' },
  'import of a built-in without its prefix': { code: readSecret("await import('fs')"), reaches: 'secret' },
  'import of promises of a built-in': {
    code: "return (await import('node:fs/promises')).readFile(secret, 'utf8');",
    reaches: 'secret',
  },
  'loader of the process': { code: readSecret("process.getBuiltinModule('fs')"), reaches: 'secret' },
  'loader of CommonJS': {
    code: readSecret("(await import('node:module')).createRequire('file:///')('fs')"),
    reaches: 'secret',
  },
  'internal loader of CommonJS': {
    code: readSecret("(await import('node:module')).default._load('fs')"),
    reaches: 'secret',
  },
  'hooks of the loader': {
    code: `const hooks = (await import('node:module')).registerHooks({
  load: (url, context, next) => url === 'node:x' ? { format: 'json', shortCircuit: true, source: JSON.stringify(process.getBuiltinModule('fs').readFileSync(secret, 'utf8')) } : next(url, context),
  resolve: (specifier, context, next) => specifier === 'x' ? { url: 'node:x', shortCircuit: true } : next(specifier, context),
});
const found = (await import('x', { with: { type: 'json' } })).default;
hooks.deregister();
return found;`,
    reaches: 'secret',
  },
  'module in a data address': {
    code: 'return (await import(`data:text/javascript,import fs from "node:fs"; export default fs.readFileSync(${JSON.stringify(secret)}, "utf8")`)).default;',
    reaches: 'secret',
  },
  'binding of the process': { code: "return process.binding('fs').readFileUtf8(secret, 0);" },
  'deserializer of structuredClone for the network': {
    code: `let found;
${cloned("'net:found'")}
${connect('found')}`,
    reaches: 'listener',
    needsQuickJs: true,
  },
  'deserializer of structuredClone for a database': {
    code: `let found;
${cloned("'sqlite:found'")}
new found.DatabaseSync(out).exec('create table t (x)');`,
    reaches: 'file',
    needsQuickJs: true,
  },
};

const effects: Readonly<Record<string, Escape>> = {
  socket: { code: connect("await import('node:net')"), reaches: 'listener', needsQuickJs: true },
  'socket of the process': {
    code: connect("process.getBuiltinModule('net')"),
    reaches: 'listener',
    needsQuickJs: true,
  },
  'TLS socket': {
    code: "await new Promise((done) => { const socket = process.getBuiltinModule('tls').connect({ port, host: '127.0.0.1', servername: name }, done); socket.on('error', done); });",
    reaches: 'listener',
    needsQuickJs: true,
  },
  'HTTP request': {
    code: "await new Promise((done) => { process.getBuiltinModule('http').get({ port, path: '/' + name }, done).on('error', done); });",
    reaches: 'listener',
    needsQuickJs: true,
  },
  fetch: {
    code: "await fetch('http://127.0.0.1:' + port + '/' + name).catch(() => {});",
    reaches: 'listener',
    needsQuickJs: true,
  },
  'web socket': {
    code: "await new Promise((done) => { new WebSocket('ws://127.0.0.1:' + port + '/' + name).onerror = done; });",
    reaches: 'listener',
    needsQuickJs: true,
  },
  'event source': { code: "return new EventSource('http://127.0.0.1:' + port).close();" },
  'request for a name': {
    code: "return await process.getBuiltinModule('dns/promises').lookup('localhost');",
  },
  datagram: {
    code: "process.getBuiltinModule('dgram').createSocket('udp4').send(name, port, '127.0.0.1'); return 'sent';",
  },
  'written file': { code: "process.getBuiltinModule('fs').writeFileSync(out, '');", reaches: 'file' },
  link: { code: "process.getBuiltinModule('fs').symlinkSync(secret, out);", reaches: 'file' },
  'hard link': { code: "process.getBuiltinModule('fs').linkSync(secret, out);", reaches: 'file' },
  'copied file': { code: "process.getBuiltinModule('fs').copyFileSync(secret, out);", reaches: 'file' },
  folder: { code: "process.getBuiltinModule('fs').mkdirSync(out);", reaches: 'file' },
  database: {
    code: "new (await import('node:sqlite')).DatabaseSync(out).exec('create table t (x)');",
    reaches: 'file',
    needsQuickJs: true,
  },
  'report of the process': { code: 'process.report.writeReport(out);', reaches: 'file' },
  'heap snapshot': { code: "process.getBuiltinModule('v8').writeHeapSnapshot(out);", reaches: 'file' },
  process: {
    code: "process.getBuiltinModule('child_process').execFileSync('/bin/touch', [out]);",
    reaches: 'file',
  },
  'process by its binding': {
    code: "process.binding('spawn_sync').spawn({ file: '/bin/touch', args: ['touch', out], stdio: [] });",
  },
  cluster: { code: "process.getBuiltinModule('cluster').fork(); return 'forked';" },
  thread: {
    code: "await new Promise((done, fail) => { const thread = new (process.getBuiltinModule('worker_threads').Worker)(`require('fs').writeFileSync(${JSON.stringify(out)}, '')`, { eval: true }); thread.on('exit', done); thread.on('error', fail); });",
    reaches: 'file',
  },
  'web worker': { code: "return new Worker('data:text/javascript,postMessage(1)');" },
  WASI: {
    code: "return new (process.getBuiltinModule('wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } });",
  },
  WebAssembly: { code: 'return new WebAssembly.Memory({ initial: 1 });' },
  addon: { code: "process.dlopen({ exports: {} }, secret); return 'loaded';" },
  signal: { code: "process.kill(pid, 'SIGWINCH');", reaches: 'signal', needsQuickJs: true },
  'internal signal': { code: 'process._kill(pid, 28);', reaches: 'signal', needsQuickJs: true },
  'debugger of another process': { code: "process._debugProcess(process.ppid); return 'opened';" },
  'own debugger': { code: "process.getBuiltinModule('inspector').open(0); return 'opened';" },
  'environment of the process': { code: 'return process.env.SECRET;', reaches: 'secret' },
  'environment of the parent': {
    code: "return process.getBuiltinModule('fs').readFileSync(`/proc/${pid}/environ`, 'latin1');",
  },
  'open files of the process': {
    code: "const fs = process.getBuiltinModule('fs'); for (let each = 4; each < 64; each += 1) { try { return fs.readSync(each, Buffer.alloc(9)); } catch {} } throw 0;",
  },
  'other identity': { code: "process.setuid(65534); return 'changed';" },
  'flags of the engine': {
    code: "process.getBuiltinModule('v8').setFlagsFromString('--allow-natives-syntax'); return 'set';",
  },
  timer: { code: 'return setTimeout.constructor("return process")().pid;' },
  'blob of a file': {
    code: "return await (await process.getBuiltinModule('fs').openAsBlob(secret)).text();",
    reaches: 'secret',
  },
  'stream of a file': {
    code: "for await (const each of process.getBuiltinModule('fs').createReadStream(secret, 'utf8')) return each;",
    reaches: 'secret',
  },
  'env file': {
    code: "process.loadEnvFile(secret.replace('json', 'env')); return process.env.CANARY;",
    reaches: 'secret',
  },
};

const viaProcess = readSecret("PROCESS.getBuiltinModule('fs')");
const constructors: Readonly<Record<string, Escape>> = Object.fromEntries(
  (
    [
      ['constructor of functions', "Function('return process')()"],
      ['constructor of a constructor', "[].constructor.constructor('return process')()"],
      ['constructor of async functions', "await (async () => {}).constructor('return process')()"],
      ['constructor of generators', "(function* () {}).constructor('yield process')().next().value"],
      [
        'constructor of async generators',
        "(await (async function* () {}).constructor('yield process')().next()).value",
      ],
      ['constructor of a function of the console', "console.log.constructor('return process')()"],
      ['reflected constructor', "Reflect.construct(Function, ['return process'])()"],
      ['direct evaluation', "eval('process')"],
      ['indirect evaluation', "(0, eval)('process')"],
      ['global object', 'globalThis.process'],
      [
        'global object of a function without this',
        "(function () { return this; }).call(null)?.process ?? Function('return this')().process",
      ],
    ] as const
  ).map(([name, process]) => [
    name,
    { code: viaProcess.replace('PROCESS', `(${process})`), reaches: 'secret' },
  ]),
);

const engine: Readonly<Record<string, Escape>> = {
  'stack frames as objects': {
    code: "Error.prepareStackTrace = (_, frames) => frames.map((each) => each.getThis?.() ?? each.getFunction?.()); return new Error('x').stack[0].process.pid;",
  },
  'function of Rampart': {
    code: "const { host } = await import('rampart'); return host.constructor('return process')().pid;",
  },
  'global object of Rampart': { code: 'return Object.keys(globalThis.outside).length;' },
  'module of Rampart': { code: "return Object.keys(await import('rampart:///sandbox/realm.ts')).length;" },
  'program of the sandbox': { code: "return await import('file:///sandbox/script-child.ts');" },
  'promise with hooks of its own': {
    code: 'const { then } = Promise.prototype; let seen; Promise.prototype.then = function (...rest) { seen ??= rest[0]; return then.apply(this, rest); }; await Promise.resolve(); Promise.prototype.then = then; return seen.constructor("return process")().pid;',
  },
  'thenable prototype': {
    code: 'Object.prototype.then = function (done) { done(this); }; return "changed";',
  },
  'changed method of a prototype': {
    code: 'Object.prototype.toString = () => "changed"; return String({});',
  },
  'getter on a prototype': { code: "Object.prototype.__defineGetter__('x', () => 1); return ({}).x;" },
  'prototype of a prototype': {
    code: 'Object.setPrototypeOf(Array.prototype, new Proxy({}, {})); return "changed";',
  },
  'changed iterator': { code: 'Array.prototype[Symbol.iterator] = function* () {}; return "changed";' },
  'changed encoder': {
    code: 'JSON.stringify = () => \'{"kind":"print","text":"x"}\'; JSON.parse = () => ({ host: 1 });',
  },
  'changed text': {
    code: "String.prototype.startsWith = () => true; return await import('../secret.json');",
  },
  'proxy as a value of the console': {
    code: 'let got; console.log(new Proxy({}, { get: (_, key, receiver) => { got = receiver; return undefined; } })); return got.constructor("return process")().pid;',
  },
  'specifier that changes': {
    code: "let times = 0; return (await import({ toString: () => (times++ === 0 ? './own.json' : secret) })).default.secret;",
  },
  'generator that imports at its end': {
    code: "const steps = (function* () { try { yield 1; } finally { yield import('node:fs'); } })(); steps.next(); return await steps.return(1).value;",
  },
  'async generator in a queue': {
    code: "const steps = (async function* () { yield import('node:net'); })(); steps.next(); return (await steps.throw(1)).value;",
  },
  'iterator that is closed': {
    code: "for (const each of { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return: () => { process.exit(0); } }) }) break; return 'ended';",
  },
  'weak reference': { code: 'return new WeakRef(globalThis).deref().process.pid;' },
  finalizer: { code: 'new FinalizationRegistry(() => process.exit(0)).register({}, 1);' },
  'shared memory': { code: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);' },
  'require of a built-in': { code: "return require('node:fs').readFileSync(secret, 'utf8');" },
};

const paths: Readonly<Record<string, Escape>> = Object.fromEntries([
  ...(
    [
      ['link to a file outside', "here + 'link.json'"],
      ['link to a folder outside', "here + 'folder/secret.json'"],
      ['path outside', "here + '../secret.json'"],
      ['path outside by a detour', "here + 'deep/../../secret.json'"],
      ['encoded path outside', "here + '%2e%2e/secret.json'"],
    ] as const
  ).map(([name, specifier]) => [name, { code: json(specifier), reaches: 'secret' } as const]),
  ...(
    [
      ['path with an encoded slash', "'./..%2fsecret.json'"],
      ['path with backslashes', "'.\\\\..\\\\secret.json'"],
      ['absolute path', 'secret'],
      ['path with a null', "'./own.json\\0.ts'"],
      ['hidden file', "'./.env'"],
      ['file of Git', "'./.git/config'"],
      ['hidden file of packages', "'./node_modules/.env'"],
      ['hidden file of a package store', "'./node_modules/.store/x/.env'"],
      ['file in a package with a path outside', "'plain/../../../secret.json'"],
      ['package that exports a file outside', "'leaving'"],
      ['package whose main file is outside', "'leaving-by-main'"],
      ['package that is linked from outside', "'linked'"],
      ['import of the project that leads outside', "'#outside'"],
      ['environment in /proc', "'/proc/self/environ'"],
      ['memory in /proc', "'./proc/self/mem'"],
      ['link to /proc', "'./proc/self/environ'"],
      ['pipe', "'./pipe'"],
      ['device', "'./zero'"],
      ['folder', "'./deep'"],
      ['address of a server', '`http://127.0.0.1:${port}/x.js`'],
    ] as const
  ).map(([name, specifier]) => [`import of a ${name}`, { code: json(specifier) }]),
  ...['wasm', 'bytes', 'text', 'source'].map((type) => [
    `import of a file outside as ${type}`,
    {
      code: `const found = await import('../secret.json', { with: { type: '${type}' } }); return JSON.stringify(found.default);`,
    },
  ]),
  ['file address', { code: json('secretUrl'), reaches: 'secret' }],
]);

function json(specifier: string): string {
  return `return JSON.stringify((await import(${specifier}, { with: { type: 'json' } })).default);`;
}

/** One attempt for each known way out. */
export const escapes: Readonly<Record<string, Escape>> = {
  ...builtins,
  ...effects,
  ...constructors,
  ...paths,
  // Last, because some of them change what others use.
  ...engine,
};
