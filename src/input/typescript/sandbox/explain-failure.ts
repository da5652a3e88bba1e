import type { ScriptPlace } from '../../sources/script-output.ts';
import { markedPlace, placesIn } from '../stack-place.ts';
import type { ModuleRequest, SandboxFailure } from './protocol.ts';

/** What a script threw, as `describe` in the sandbox reports it. */
export interface Thrown {
  /** Of an error. */
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
  /** The file that could not be parsed. */
  readonly file?: string;
  /** Of any other value. */
  readonly thrown?: string;
}

/** What is known of the modules of a script. */
export interface Modules {
  readonly textOf: (name: string) => string;
  readonly requests: readonly (ModuleRequest & { readonly name: string })[];
}

export const neverSettles: SandboxFailure = {
  message: 'the script waits for a promise that never settles',
  hint: 'check each "await": its promise must resolve; a script has no timers and no network to wait for',
};

export const outOfMemory: SandboxFailure = {
  message: 'the script ran out of memory',
  hint: 'check it for a list that grows without end',
};

const outOfStack: SandboxFailure = {
  message: 'the script calls itself too deeply',
  hint: 'check it for a recursion without end',
};

/** Globals of Node and browsers that a script does not have, with a replacement for each. */
const absent: Readonly<Record<string, string>> = {
  process: 'a script has no environment and no process: write the value into a file and import it',
  require: 'use "import", or name the file .cjs',
  module: 'use "export default", or name the file .cjs',
  exports: 'use "export", or name the file .cjs',
  __dirname: 'import the file: import text from "./sites.csv"',
  __filename: 'import the file: import text from "./sites.csv"',
};
const others =
  /^(?:Buffer|fetch|setTimeout|setInterval|setImmediate|URL|URLSearchParams|TextEncoder|TextDecoder|structuredClone|Intl|crypto|WebAssembly|atob|btoa|AbortController|Worker|global|window)$/;

export function noFleet(lack: string): SandboxFailure {
  return {
    message: lack === 'nothing' ? 'the script exports nothing' : 'the script has no default export',
    hint: 'end it with "export default defineFleet({ … })"',
  };
}

/** Describes in plain words what failed in the script, and where. */
export function explainThrown(thrown: Thrown, modules: Modules): SandboxFailure {
  const { name = '', message = '', stack = '', file } = thrown;
  if (thrown.thrown !== undefined)
    return { message: `the script throws ${shown(thrown.thrown)}, which is not an Error` };
  const at = innermost(stack);
  if (name === 'InternalError' && message === 'out of memory') return { ...outOfMemory, ...at };
  if (/^(?:stack overflow|Maximum call stack size exceeded)$/.test(message)) return { ...outOfStack, ...at };
  if (name === 'SyntaxError' && file !== undefined && file !== '') {
    const line = Number(/at <input>:(\d+)/.exec(stack)?.[1] ?? 1);
    return { message: `the file is not valid JSON: ${shown(message)}`, at: { file, line } };
  }
  if (name === 'SyntaxError' && /^\s*at file:[^()\n]*(?:\n|$)/.test(stack))
    return syntaxError(message, at.at);
  const [, missing, from] = /^Could not find export '(.*)' in module '(.*)'$/.exec(message) ?? [];
  if (name === 'SyntaxError' && missing !== undefined) return missingExport(missing, from as string, modules);
  return {
    message: `the script throws: ${name === 'Error' ? '' : `${name}: `}${shown(message)}`,
    ...hintFor(name, message),
    ...at,
  };
}

/** Describes why Node can't strip the types of a file. */
export function explainStripping(error: unknown, file: string): SandboxFailure {
  const { message, stack = '' } = error as Error;
  const marked = markedPlace(stack);
  const at = marked === undefined ? { file, line: 1 } : { ...marked, file };
  if (!/strip-only mode/.test(message)) return syntaxError(message, at);
  return {
    message: shown(message),
    hint: 'only erasable type syntax is supported: write this as plain JavaScript',
    at,
  };
}

/** The place where a file imports a module. */
export function mentionOf(
  specifier: string,
  from: string,
  { textOf }: Modules,
): { readonly at?: ScriptPlace } {
  const text = textOf(from);
  const at = Math.max(text.indexOf(`'${specifier}'`), text.indexOf(`"${specifier}"`));
  return at === -1 ? {} : { at: placeAt(text, at, from) };
}

function syntaxError(message: string, at: ScriptPlace | undefined): SandboxFailure {
  const text = `the script has a syntax error: ${shown(message).replace(/\.$/, '')}`;
  return { message: text, ...(at === undefined ? {} : { at }) };
}

function missingExport(missing: string, name: string, { requests, textOf }: Modules): SandboxFailure {
  const word = new RegExp(`(?<![\\w$])${missing.replaceAll(/[^\w]/g, '\\$&')}(?![\\w$])`);
  const request = requests.find((each) => each.name === name && word.test(textOf(each.from)));
  const shownName = shown(request?.specifier ?? name);
  const text = request === undefined ? '' : textOf(request.from);
  return {
    message: `"${shownName}" does not export "${shown(missing)}"`,
    hint:
      name === 'rampart'
        ? 'a script can import defineFleet, host and rule; types are imported with "import type"'
        : 'if it is a type, import it with "import type"',
    ...(request === undefined ? {} : { at: placeAt(text, text.search(word), request.from) }),
  };
}

function hintFor(name: string, message: string): { readonly hint?: string } {
  const [, variable = ''] = /^'(\S+)' is not defined$/.exec(message) ?? [];
  if (name === 'ReferenceError' && Object.hasOwn(absent, variable))
    return { hint: absent[variable] as string };
  if (name === 'ReferenceError' && others.test(variable)) {
    return {
      hint: `a script can use the JavaScript language, but not ${variable}: the reference of the desired state lists what to use instead`,
    };
  }
  return name === 'TypeError' && /not extensible|read-only|delete property/.test(message)
    ? {
        hint: "Object.prototype, Array.prototype and frozen objects can't be changed: write a function instead",
      }
    : {};
}

/** The innermost place of a stack that is in a file of the project. */
function innermost(stack: string): { readonly at?: ScriptPlace } {
  const [at] = placesIn(stack);
  return at === undefined ? {} : { at };
}

function placeAt(text: string, at: number, file: string): ScriptPlace {
  const before = text.slice(0, at).split('\n');
  return { file, line: before.length, col: (before.at(-1) as string).length + 1 };
}

function shown(value: string): string {
  return value.length > 500 ? `${value.slice(0, 500)}…` : value;
}
