import { formatPlace, type Problem } from '../../core/problem/problem.ts';

/** How many problems of one kind are reported one by one, or listed in a summary. */
const listed = 10;

/** Where the rest of the differences of an apply are. */
export const theRest = 'The next plan shows what is left.';

/**
 * Problems of one kind become one problem if there are many, with their number, the first ten, and `rest`: a sentence
 * about where to find the others.
 */
export function summarizeProblems(problems: readonly Problem[], rest: string): readonly Problem[] {
  const kinds = Map.groupBy(problems, ({ severity, code }) => `${severity} ${code}`);
  return Array.from(kinds.values()).flatMap((kind) => {
    const [first] = kind;
    return first === undefined || kind.length <= listed ? kind : [summary(kind, first, rest)];
  });
}

function summary(kind: readonly Problem[], first: Problem, rest: string): Problem {
  const lines = kind
    .slice(0, listed)
    .map(({ place, message }) => `- ${place === undefined ? '' : `${formatPlace(place)}: `}${message}`);
  const hint = first.hint === undefined ? '' : ` To fix the first: ${first.hint}.`;
  return {
    ...first,
    message: `${kind.length} problems of the same kind, such as: ${first.message}`,
    hint: `The first ${listed} of ${kind.length}:\n${lines.join('\n')}\n\n${rest}${hint}`,
    hostIds: [...new Set(kind.flatMap(({ hostIds = [] }) => hostIds))],
  };
}
