import { printable } from '../../core/lib/words.ts';
import { formatPlace, type Problem } from '../../core/problem/problem.ts';
import type { Diagnostic } from '../protocol/provider/call.ts';
import type { Path } from '../protocol/value/path.ts';
import { asArguments, withArguments } from './as-arguments.ts';
import type { BlockProblem } from './connection/block-problem.ts';

/** Problems in Terraform's form; the path is the argument that they concern. Notes are left out. */
export function toDiagnostics(
  problems: readonly (Problem | BlockProblem)[],
  path?: Path,
): readonly Diagnostic[] {
  return problems.flatMap((each) =>
    each.severity === 'note' ? [] : [toDiagnostic(each, each.severity, 'path' in each ? each.path : path)],
  );
}

function toDiagnostic(
  { place, ...words }: Problem,
  severity: Diagnostic['severity'],
  path: Path | undefined,
): Diagnostic {
  const message = asArguments(words.message);
  const hint = words.hint === undefined ? undefined : withArguments(asArguments(words.hint));
  const detail = [
    place === undefined ? '' : `At ${formatPlace(place)}.`,
    hint === undefined ? '' : sentence(hint),
  ]
    .filter((each) => each !== '')
    .join('\n\n');
  return {
    severity,
    summary: capitalized(printable(message)),
    ...(detail === '' ? {} : { detail: printable(detail).replaceAll('␊', '\n') }),
    ...(path === undefined ? {} : { path }),
  };
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? capitalized(text) : `${capitalized(text)}.`;
}

/** A word that is not followed by `=`: addresses, file names and identifiers keep their case. */
const plainWord = /^[a-z]+(?:['-][a-z]+)*(?=[,.:;?!]?(?:$|\s(?!=)))/;

function capitalized(text: string): string {
  return text.replace(plainWord, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
