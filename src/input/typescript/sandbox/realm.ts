import { defineFleet, host, rule } from '../define-fleet.ts';
import { encodeFleet } from './encode-fleet.ts';

/**
 * The code that runs inside the sandbox before the script: its console, its CommonJS modules, and the functions with
 * which Rampart starts it and takes its result. A script could change everything here, and would gain nothing: the
 * other side treats each result as a text of the script.
 */
interface Outside {
  readonly print: (text: string) => void;
  /** Finds and reads a file, and returns its name. */
  readonly find: (specifier: string, from: string) => string;
  /** The function of a CommonJS module, or the content of a file. */
  readonly compile: (name: string) => unknown;
}

const { outside } = globalThis as unknown as { readonly outside: Outside };
Reflect.deleteProperty(globalThis, 'outside');

export { defineFleet, host, rule };

const { parse, stringify } = JSON;
const loaded = new Map<string, { exports: unknown }>([['rampart', { exports: { defineFleet, host, rule } }]]);
let exported: unknown;

/** Imports the script. Resolves to an empty text, or to the reason why it has no fleet. */
export async function start(script: string): Promise<string> {
  const module = (await import(script)) as Readonly<Record<string, unknown>>;
  const { default: fleet } = module;
  const isNothing = typeof fleet === 'object' && fleet !== null && isCommonJs(script) && isBare(fleet);
  if (fleet === undefined || isNothing) {
    return Object.keys(module).every((name) => name === 'default') ? 'nothing' : 'no default';
  }
  exported = await (typeof fleet === 'function' ? (fleet as () => unknown)() : fleet);
  return '';
}

export function finish(mark: string): string {
  return encodeFleet(exported, mark);
}

/** The exports of a module that is not an ECMAScript module. */
export function load(name: string): unknown {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module: { exports: unknown } = { exports: {} };
  loaded.set(name, module);
  try {
    const content = outside.compile(name);
    if (typeof content !== 'function')
      module.exports = /\.json$/i.test(name) ? parseFile(content, name) : content;
    else content.call(module.exports, module.exports, requireFrom(name), module);
  } catch (error) {
    loaded.delete(name);
    throw error;
  }
  return module.exports;
}

/** The names that an ECMAScript module can import from it. */
export function namesOf(name: string): string {
  const exports = load(name);
  const isOpen = (typeof exports === 'object' || typeof exports === 'function') && exports !== null;
  return stringify(
    isOpen
      ? Object.keys(exports).filter((each) => /^[A-Za-z_$][\w$]*$/.test(each) && each !== 'default')
      : [],
  );
}

/** Describes what was thrown. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return stringify({ thrown: shown(() => error) });
  return stringify({
    name: shown(() => error.name),
    message: shown(() => error.message),
    stack: shown(() => error.stack, 20_000),
    file: shown(() => (error as { file?: unknown }).file),
  });
}

function shown(read: () => unknown, most = 501): string {
  try {
    const value = read();
    return value === undefined ? '' : `${value as string}`.slice(0, most);
  } catch {
    return 'something';
  }
}

function requireFrom(from: string): (specifier: unknown) => unknown {
  return (specifier) => load(specifier === 'rampart' ? 'rampart' : outside.find(String(specifier), from));
}

function parseFile(text: unknown, file: string): unknown {
  try {
    return parse(text as string);
  } catch (error) {
    throw Object.assign(error as Error, { file });
  }
}

function isCommonJs(name: string): boolean {
  return loaded.has(name);
}

function isBare(value: object): boolean {
  return Object.keys(value).length === 0;
}

function inspect(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Error) return `${value}\n${value.stack ?? ''}`.trimEnd();
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));
  } catch {
    return `${value as unknown as string}`;
  }
}

const print = (...values: readonly unknown[]) => outside.print(`${values.map(inspect).join(' ')}\n`);
(globalThis as { console: unknown }).console = Object.fromEntries(
  ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'].map((name) => [name, print]),
);

/**
 * Each value inherits from these two, so a change would reach code that knows nothing of it. Accessors and not frozen
 * values: an object could otherwise not have a `toString` of its own by assignment.
 */
for (const [key, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(Object.prototype))) {
  if (writable !== true) continue;
  Object.defineProperty(Object.prototype, key, {
    get: () => value as unknown,
    set(this: object, own: unknown) {
      if (this === Object.prototype) throw new TypeError(`Object.prototype.${key} is read-only`);
      Object.defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
    },
    enumerable: false,
    configurable: false,
  });
}
Object.preventExtensions(Object.prototype);
Object.freeze(Array.prototype);
