import { quoted } from '../../../core/lib/words.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { mayBeRead } from '../../../input/sources/read-endings.ts';

/** Control characters, invisible characters, line separators, replacement characters, and separators of Windows. */
const odd = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffd\\:]/u;
const mostNameBytes = 255;
const mostPathBytes = 1024;

/** Names that Rampart never reads: those with a leading dot, and installed packages. */
export function isIgnored(path: string): boolean {
  return path.split('/').some((name) => name === 'node_modules' || (name.startsWith('.') && !isStep(name)));
}

export function isCopied(path: string): boolean {
  return mayBeRead(path) && !/(?:^|\/)rampart\.config\.ya?ml$/i.test(path);
}

/** Why a path with forward slashes can't be written below a folder; undefined if it can. */
export function pathProblem(path: string, source: string): Problem | undefined {
  const names = path.split('/');
  const isOdd =
    odd.test(path) ||
    Buffer.byteLength(path) > mostPathBytes ||
    names.some((name) => name === '' || isStep(name) || Buffer.byteLength(name) > mostNameBytes);
  if (!isOdd) return undefined;
  return problem(
    'file-unreadable',
    `the source "${source}" has a file with an unsupported name: ${quoted(path)}`,
    {
      hint: 'rename it: a name has no control characters, backslashes or colons, and at most 255 bytes',
    },
  );
}

function isStep(name: string): boolean {
  return name === '.' || name === '..';
}

export function notRegular(what: string, path: string, source: string): Problem {
  return problem('file-unreadable', `the source "${source}" has ${what}: ${quoted(path)}`, {
    hint: 'replace it with a regular file, or name the folder of the desired state as the path of the source',
  });
}

export function tooMany(what: string, source: string): Problem {
  return problem('too-large', `the source "${source}" has ${what}`, {
    hint: 'name the folder of the desired state as the path of the source',
  });
}
