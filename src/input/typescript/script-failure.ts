import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ScriptPlace, ScriptReport } from '../sources/script-output.ts';
import { markedPlace, placesIn } from './stack-place.ts';

export type Failure = Omit<Extract<ScriptReport, { kind: 'failed' }>, 'kind'>;

/** The progress of Node in loading the script, because its errors do not show it. */
export interface Loading {
  /** The URL of the last loaded file. */
  loaded: string;
  /** The specifier that was not found, and the URL of the file that imports it. */
  missing: { readonly specifier: string; readonly parent: string } | undefined;
  isOver: boolean;
}

/** Messages by the permission that Node or the fence names. */
const forbidden: ReadonlyMap<string, (resource: string) => string> = new Map<
  string,
  (resource: string) => string
>([
  ['FileSystemRead', (path) => `read "${path}"`],
  ['FileSystemWrite', () => 'write files'],
  ['ChildProcess', () => 'start a process'],
  ['WorkerThreads', () => 'start a thread'],
  ['Module', (name) => `use ${name}`],
]);

const ourFolder = new URL('.', import.meta.url).href;

interface Denial {
  readonly code?: unknown;
  readonly permission?: unknown;
  readonly resource?: unknown;
  /** Set if the fence refused a module: the specifier, and the URL of the file that imports it. */
  readonly specifier?: unknown;
  readonly parent?: unknown;
}

/** Describes in plain words what failed in the script, and where. */
export function failureOf(error: unknown, { loaded, missing, isOver }: Loading): Failure {
  if (!(error instanceof Error))
    return { message: `the script throws ${shown(error)}, which is not an Error` };
  const { code, permission, resource, specifier, parent } = error as Denial;
  if (code === 'ERR_ACCESS_DENIED') {
    const words = forbidden.get(String(permission)) ?? (() => 'do this');
    return {
      message: `the script may not ${words(shown(resource))}`,
      hint: 'a script can only compute values and read files of its project: it has no access to the network, to processes or to other files',
      ...(typeof specifier === 'string' && typeof parent === 'string'
        ? mentionOf(specifier, parent)
        : innermost(error)),
    };
  }
  if (!isOver && missing !== undefined && String(code).includes('NOT_FOUND')) {
    const { specifier, parent } = missing;
    return {
      message: `the module "${shown(specifier)}" can't be found`,
      hint: /^[./]/.test(specifier)
        ? 'the path is relative to the file that imports it, and ends like the file itself: "./sites.ts"'
        : 'install the package in the project of the script',
      ...mentionOf(specifier, parent),
    };
  }
  if (error instanceof SyntaxError && !isOver && innermost(error).at === undefined) {
    const at = markedPlace(error.stack ?? '') ?? placeOfMistake(loaded);
    return { ...mistake(error.message), ...(at === undefined ? {} : { at }) };
  }
  const name = error.name === 'Error' ? '' : `${error.name}: `;
  return { message: `the script throws: ${name}${shown(error.message)}`, ...innermost(error) };
}

function shown(value: unknown): string {
  try {
    const text = String(value);
    return text.length > 500 ? `${text.slice(0, 500)}…` : text;
  } catch {
    return 'something';
  }
}

/** Describes in plain words a file that Node can't load. */
function mistake(message: string): Omit<Failure, 'at'> {
  if (/strip-only mode/.test(message)) {
    return {
      message: shown(message),
      hint: 'only erasable type syntax is supported: write this as plain JavaScript',
    };
  }
  const [, from, name] = /module '(.*)' does not provide an export named '(.*)'/.exec(message) ?? [];
  if (from === undefined)
    return { message: `the script has a syntax error: ${shown(message).replace(/\.$/, '')}` };
  return {
    message: `"${shown(from)}" does not export "${shown(name)}"`,
    hint:
      from === 'rampart'
        ? 'a script can import defineFleet, host and rule; types are imported with "import type"'
        : 'if it is a type, import it with "import type"',
  };
}

/** The innermost place of a stack that is in the user's code. */
export function innermost(error: Error): { readonly at?: ScriptPlace } {
  const at = placesIn(error.stack ?? '').find(({ file }) => !file.startsWith(ourFolder));
  return at === undefined ? {} : { at };
}

/** The place where a file imports a module. */
function mentionOf(specifier: string, parent: string): { readonly at?: ScriptPlace } {
  const text = textOf(parent);
  const at = Math.max(text.indexOf(`'${specifier}'`), text.indexOf(`"${specifier}"`));
  if (at === -1) return {};
  const before = text.slice(0, at).split('\n');
  return { at: { file: parent, line: before.length, col: (before.at(-1) as string).length + 1 } };
}

/** The parser of TypeScript reports the position of a mistake; that of JavaScript does not. */
function placeOfMistake(url: string): ScriptPlace | undefined {
  try {
    stripTypeScriptTypes(textOf(url), { sourceUrl: fileURLToPath(url) });
    return undefined;
  } catch (error) {
    return markedPlace((error as Error).stack ?? '');
  }
}

function textOf(url: string): string {
  try {
    return readFileSync(fileURLToPath(url), 'utf8');
  } catch {
    return '';
  }
}
