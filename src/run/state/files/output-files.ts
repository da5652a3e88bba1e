import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type Problem, problem } from '../../../core/problem/problem.ts';

/** How each kind of file begins if Rampart wrote it. */
const heads = {
  plan: /^\{\s*"format_version": "[^"]*",\s*"account": \{[^}]*\},\s*"(?:files|created_at)"/,
  snapshot: /^\{\s*"format_version": "[^"]*",\s*"account": \{[^}]*\},\s*"taken_at"/,
  summary: /^\{\s*"type": "(?:change_summary|rollout_end)"/,
  log: /^\{"level":/,
  page: /^<!doctype html/i,
  ticket: /^\{"gateway_url":/,
} as const;
type OutputKind = keyof typeof heads;

/** As much of a file as its head can need. */
const longestHead = 4096;

/**
 * Why Rampart must not write to this path: it holds a file that is not an earlier one of the same kind, such as a desired
 * state. Undefined for a new or an empty file, and for a folder, a device or a pipe, which have their own rules.
 */
function notReplaceable(
  path: string,
  { kind, shown, flag }: { readonly kind: OutputKind; readonly shown: string; readonly flag: string },
): Problem | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size === 0) return undefined;
    const head = Buffer.alloc(longestHead);
    const length = readSync(file, head, 0, longestHead, 0);
    if (heads[kind].test(head.toString('utf8', 0, length))) return undefined;
  } catch {
    // A file that can't be read here is written, or not, with the error of the write.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return problem('usage', `${flag} ${shown} would overwrite a file that is not an earlier ${kind}`, {
    hint: 'choose another name, or move the file away',
  });
}

/** A file that Rampart will write because the user named it. */
export interface OutputFile {
  /** The flag or the argument that names it. */
  readonly flag: string;
  readonly kind: OutputKind;
  /** Undefined if the user did not request the file. */
  readonly shown: string | undefined;
}

/** Why Rampart must not write one of these files, or the same file twice. */
export function outputMisuse(
  path: (given: string) => string,
  files: readonly OutputFile[],
): Problem | undefined {
  const seen = new Map<string, string>();
  for (const { flag, shown, kind } of files) {
    if (shown === undefined) continue;
    const target = path(shown);
    const other = seen.get(target);
    if (other !== undefined)
      return problem('usage', `${flag} and ${other} name the same file: ${shown}`, {
        hint: 'choose a file for each of them',
      });
    seen.set(target, flag);
    const misuse = notReplaceable(target, { kind, shown, flag });
    if (misuse !== undefined) return misuse;
  }
  return undefined;
}
