import type { ScriptPlace } from '../sources/script-output.ts';

/** The place from which the running function was called; undefined if that is unknown. */
export function callerPlace(running: (...args: never[]) => unknown): ScriptPlace | undefined {
  // QuickJS. The frames of its own modules are no places.
  const { captureStackTrace } = Error as { readonly captureStackTrace?: typeof Error.captureStackTrace };
  if (captureStackTrace === undefined) return firstPlace(new Error('').stack ?? '');
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  const target: { readonly stack?: string } = {};
  captureStackTrace(target, running);
  Error.stackTraceLimit = limit;
  return placesIn(target.stack ?? '')[0];
}

/** The first place of a stack of QuickJS, where regular expressions are slow. */
function firstPlace(stack: string): ScriptPlace | undefined {
  const start = stack.indexOf('(file:');
  if (start === -1) return undefined;
  const place = stack.slice(start + 1, stack.indexOf(')\n', start));
  const colAt = place.lastIndexOf(':');
  const lineAt = place.lastIndexOf(':', colAt - 1);
  return {
    file: place.slice(0, lineAt),
    line: Number(place.slice(lineAt + 1, colAt)),
    col: Number(place.slice(colAt + 1)),
  };
}

/** The places of a stack that are in files, innermost first. */
export function placesIn(stack: string): readonly ScriptPlace[] {
  return stack.split('\n').flatMap((line) => {
    const [, file, row, col] = frame.exec(line) ?? [];
    return file === undefined ? [] : { file: asUrl(file), line: Number(row), col: Number(col) };
  });
}

const frame = /^\s+at (?:.*\()?(?:async )?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;

/**
 * Where Node shows a line and marks a part of it before the message, as it does for mistakes in syntax:
 *
 *     /fleet.ts:2
 *     export default { a b };
 *                        ^
 */
export function markedPlace(stack: string): ScriptPlace | undefined {
  const [, file, line, blanks] = marked.exec(stack) ?? [];
  if (file === undefined || blanks === undefined) return undefined;
  return { file: asUrl(file), line: Number(line), col: blanks.length + 1 };
}

const marked = /^((?:file:\/\/|\/|[A-Za-z]:[\\/])[^\n]*):(\d+)\n(?:.*\n)*?( *)\^+ *\n/;

function asUrl(file: string): string {
  return file.startsWith('file:') ? file : pathToUrl(file);
}

function pathToUrl(path: string): string {
  return new URL(`file://${path.startsWith('/') ? '' : '/'}${encodeURI(path.replaceAll('\\', '/'))}`).href;
}
