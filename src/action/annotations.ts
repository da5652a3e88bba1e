import { posix } from 'node:path';
import { printable } from '../core/lib/printable.ts';
import { count } from '../core/lib/words.ts';
import { type Problem, type Severity, severities } from '../core/problem/problem.ts';

/** One message for a line of a file, or for the run as a whole. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Relative to the root of the repository. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The most annotations of each kind that GitHub shows for one step. */
const most = 10;
const longestMessage = 2000;

const kinds: Readonly<Record<Severity, Annotation['kind']>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
};

/**
 * Annotates problems on their lines. If there are more than GitHub shows, the last annotation gives the number of the
 * others.
 */
export function toAnnotations(problems: readonly Problem[], folder: string): readonly Annotation[] {
  return severities.flatMap((severity) => {
    const all = problems.filter((each) => each.severity === severity);
    if (all.length <= most) return all.map((each) => annotationOf(each, folder));
    const shown = all.slice(0, most - 1).map((each) => annotationOf(each, folder));
    const left = count(all.length - shown.length, `more ${severity}`);
    return [...shown, { kind: kinds[severity], title: 'Rampart', message: `${left}: see the log` }];
  });
}

function annotationOf({ severity, code, message, hint, place }: Problem, folder: string): Annotation {
  const lines = [message, ...(hint === undefined ? [] : [hint])].map(printable);
  return {
    kind: kinds[severity],
    title: `Rampart: ${code}`,
    message: lines.join('\n').slice(0, longestMessage),
    ...(place === undefined
      ? {}
      : {
          file: fromTop(place.file, folder),
          line: place.line,
          ...(place.wholeLine === true ? {} : { column: place.col }),
        }),
  };
}

function fromTop(file: string, folder: string): string {
  return printable(posix.normalize(posix.isAbsolute(file) ? file : posix.join(folder, file)));
}
