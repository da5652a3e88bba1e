import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import quickjs from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import {
  explainStripping,
  explainThrown,
  type Modules,
  mentionOf,
  neverSettles,
  noFleet,
  outOfMemory,
  type Thrown,
} from './explain-failure.ts';
import {
  type ModuleAnswer,
  type ModuleRequest,
  type SandboxFailure,
  type ScriptStart,
  tookTooLong,
  wrapperStart,
} from './protocol.ts';

export interface SandboxSurroundings {
  readonly find: (request: ModuleRequest) => ModuleAnswer;
  readonly print: (text: string) => void;
}

/** The fleet as `encodeFleet` wrote it. */
export type SandboxResult = { readonly fleet: string } | { readonly failure: SandboxFailure };

type FoundModule = Extract<ModuleAnswer, { readonly name: string }>;

// The package declares the type of its form for CommonJS.
const variant = quickjs as unknown as QuickJSSyncVariant;
/** Missing in the types of Node. */
const { Memory } = (
  globalThis as unknown as {
    readonly WebAssembly: {
      readonly Memory: new (pages: {
        readonly initial: number;
        readonly maximum: number;
      }) => { readonly buffer: ArrayBuffer };
    };
  }
).WebAssembly;

const pageBytes = 64 * 1024;
/** QuickJS's own limit does not count small objects. A million hosts fit. */
const memoryBytes = 1024 * 1024 * 1024;
/** Of QuickJS, whose calls use several times as much of the process's own stack. */
const stackBytes = 256 * 1024;
/** Time for describing the error of a script whose own time is over. */
const extraMs = 1000;

/** The address, inside the sandbox, of the folder above this one. */
const own = 'rampart:///';
const refused = 'refused:';
const realmName = `${own}sandbox/realm${extname(import.meta.filename)}`;
const ownFolder = new URL('../', import.meta.url);

/** An exception of the script, as QuickJS holds it. */
class Uncaught extends Error {
  readonly thrown: QuickJSHandle;
  constructor(thrown: QuickJSHandle) {
    super('the script throws');
    this.thrown = thrown;
  }
}

class Failed extends Error {
  readonly failure: SandboxFailure;
  constructor(failure: SandboxFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * Runs a script in QuickJS, compiled to WebAssembly. It reaches nothing of this process but the three functions of
 * `outside`, which take and return texts.
 */
export async function runInQuickJs(
  { script, timeLimitMs, mark }: ScriptStart,
  { find, print }: SandboxSurroundings,
): Promise<SandboxResult> {
  const memory = new Memory({ initial: 256, maximum: memoryBytes / pageBytes });
  const engine = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory: memory }));
  const runtime = engine.newRuntime();
  const context = runtime.newContext();
  const files = new Map<string, FoundModule>();
  const requests = new Map<string, ModuleRequest & { readonly name: string }>();
  /** What the errors mean that are thrown into the sandbox, by their messages. */
  const failures = new Map<string, SandboxFailure>();
  const modules: Modules = {
    textOf: (name) => files.get(name)?.text ?? '',
    get requests() {
      return [...requests.values()];
    },
  };
  const realm = openRealm();
  runtime.setMaxStackSize(stackBytes);
  let deadline = performance.now() + timeLimitMs;
  // QuickJS then has no memory left for an error.
  const isFull = () => memory.buffer.byteLength > 0.9 * memoryBytes;
  const isLate = () => performance.now() > deadline;
  runtime.setInterruptHandler(isLate);
  try {
    return { fleet: run() };
  } catch (error) {
    deadline = performance.now() + extraMs;
    return { failure: explain(error) };
  }

  function run(): string {
    const promise = call('start', script);
    const jobs = runtime.executePendingJobs();
    if (jobs.error !== undefined) throw new Uncaught(jobs.error);
    const state = context.getPromiseState(promise);
    if (state.type === 'rejected') throw new Uncaught(state.error);
    if (state.type === 'pending')
      throw new Failed(isLate() ? tookTooLong(timeLimitMs) : isFull() ? outOfMemory : neverSettles);
    const lack = context.getString(state.value);
    if (lack !== '') throw new Failed(noFleet(lack));
    return context.getString(call('finish', mark));
  }

  function openRealm(): QuickJSHandle {
    const outside = context.newObject();
    const offer = (name: string, work: (first: string, second: string) => QuickJSHandle): void => {
      const offered = context.newFunction(name, (...args) => {
        try {
          const [first = '', second = ''] = args.map((each) => context.getString(each));
          return work(first, second);
        } catch (error) {
          return { error: error instanceof Uncaught ? error.thrown : context.newError(error as Error) };
        }
      });
      context.setProp(outside, name, offered);
    };
    offer('print', (text) => {
      print(text);
      return context.undefined;
    });
    offer('find', (specifier, from) => context.newString(look({ specifier, from, way: 'require' })));
    offer('compile', (name) => compile(files.get(name) as FoundModule));
    context.setProp(context.global, 'outside', outside);
    runtime.setModuleLoader(loadModule, nameOf);
    return context.unwrapResult(context.evalCode(`export * from '${realmName}'`, own, { type: 'module' }));
  }

  function call(name: string, ...args: readonly string[]): QuickJSHandle {
    const texts = args.map((each) => context.newString(each));
    const result = context.callFunction(context.getProp(realm, name), context.undefined, ...texts);
    if (result.error !== undefined) throw new Uncaught(result.error);
    return result.value;
  }

  /** Returns the name under which QuickJS knows the file that a specifier names. */
  function nameOf(from: string, specifier: string): string {
    if (specifier.startsWith(own) && files.get(from)?.kind !== 'module') return specifier;
    if (from.startsWith(own) && specifier.startsWith('.')) {
      return own + new URL(specifier, `file:///${from.slice(own.length)}`).pathname.slice(1);
    }
    try {
      return look({ specifier, from: from.startsWith(own) ? '' : from, way: 'import' });
    } catch (error) {
      // QuickJS ignores an error here, so the loader throws it.
      return `${refused}${(error as Error).message}`;
    }
  }

  function look(request: ModuleRequest): string {
    const { specifier, from, way } = request;
    const key = JSON.stringify([specifier, from, way]);
    const known = requests.get(key);
    if (known !== undefined) return known.name;
    const answer = specifier === 'rampart' ? { name: specifier } : find(request);
    if ('refused' in answer) {
      const { refused: message, hint } = answer;
      throw fail({
        message,
        ...(hint === undefined ? {} : { hint }),
        ...mentionOf(specifier, from, modules),
      });
    }
    if ('kind' in answer && !files.has(answer.name)) files.set(answer.name, answer);
    requests.set(key, { ...request, name: answer.name });
    return answer.name;
  }

  function loadModule(name: string): string | { error: Error } {
    if (name === 'rampart') return `export { defineFleet, host, rule } from '${realmName}';`;
    if (name.startsWith(refused)) return { error: new Error(name.slice(refused.length)) };
    try {
      if (name.startsWith(own)) {
        return stripped(name, readFileSync(new URL(name.slice(own.length), ownFolder), 'utf8'));
      }
      const { kind, text } = files.get(name) as FoundModule;
      if (kind === 'module') return stripped(name, text);
      return facadeOf(name, JSON.parse(context.getString(call('namesOf', name))) as readonly string[]);
    } catch (error) {
      return { error: error instanceof Uncaught ? (error.thrown as unknown as Error) : (error as Error) };
    }
  }

  /** A CommonJS module becomes a function, and any other file its content. */
  function compile({ name, kind, text }: FoundModule): QuickJSHandle {
    if (kind === 'module')
      throw fail({
        message: `require can't load "${name}", which is an ECMAScript module`,
        hint: 'use "import"',
      });
    if (kind !== 'commonjs') return context.newString(text);
    const compiled = context.evalCode(`${wrapperStart}${stripped(name, text)}\n})`, name, { type: 'global' });
    if (compiled.error !== undefined) throw new Uncaught(compiled.error);
    return compiled.value;
  }

  function stripped(name: string, text: string): string {
    if (!/\.[cm]?ts$/i.test(name)) return text;
    try {
      // Errors then start with this name.
      return stripTypeScriptTypes(text, { sourceUrl: '/' });
    } catch (error) {
      throw fail(explainStripping(error, name));
    }
  }

  function fail(failure: SandboxFailure): Error {
    failures.set(failure.message, failure);
    return new Error(failure.message);
  }

  function explain(error: unknown): SandboxFailure {
    if (error instanceof Failed) return error.failure;
    const thrown = error instanceof Uncaught ? described(error.thrown) : thrownOutside(error as Error);
    const failure = explainThrown(thrown ?? {}, modules);
    const at = failure.at === undefined ? {} : { at: failure.at };
    if (thrown?.name === 'InternalError' && thrown.message === 'interrupted') {
      return { ...tookTooLong(timeLimitMs), ...at };
    }
    if (thrown === undefined || (isFull() && thrown.thrown === 'null')) {
      return { ...outOfMemory, ...at };
    }
    return failures.get(thrown.message ?? '') ?? failure;
  }

  function described(thrown: QuickJSHandle): Thrown | undefined {
    try {
      const result = context.callFunction(context.getProp(realm, 'describe'), context.undefined, thrown);
      return result.error === undefined ? (JSON.parse(context.getString(result.value)) as Thrown) : undefined;
    } catch (error) {
      return thrownOutside(error as Error);
    }
  }
}

/** The engine itself failed, for example because the stack of the process was full before its own limit. */
function thrownOutside({ name, message }: Error): Thrown {
  return { name, message };
}

/** An ECMAScript module for a file of another kind. */
function facadeOf(name: string, exports: readonly string[]): string {
  const lines = exports.map(
    (each, index) => `const v${index} = m[${JSON.stringify(each)}]; export { v${index} as ${each} };`,
  );
  return `import { load } from '${realmName}'; const m = load(${JSON.stringify(name)}); export default m;\n${lines.join('\n')}`;
}
