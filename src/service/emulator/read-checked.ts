import type { z } from 'zod';
import { nearest } from '../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { ProblemCode } from '../../core/problem/problem-code.ts';
import type { YamlSource } from './yaml-source.ts';

/** How to read a YAML text. */
export interface CheckedReading<T> {
  readonly schema: z.ZodType<T>;
  readonly code: ProblemCode;
  /** The name of the whole document in messages: `the seed`. */
  readonly whole: string;
  /** The keys at the top level, for suggestions. */
  readonly keys: readonly string[];
}

/** One mistake makes the parser report several errors; later ones are rarely useful. */
const mostSyntaxErrors = 5;

/** The value in a YAML text, or every problem with its place. */
export function readChecked<T>(
  source: YamlSource,
  { schema, code, whole, keys }: CheckedReading<T>,
): Result<T> {
  const { errors } = source.document;
  if (errors.length > 0) {
    const problems = new Map<number, Problem>();
    for (const { message, pos } of errors) {
      const place = source.placeAt(pos[0]);
      // The later errors of a line follow from the first.
      if (!problems.has(place.line))
        problems.set(place.line, problem(code, `this is not YAML: ${firstLine(message)}`, { place }));
      if (problems.size === mostSyntaxErrors) break;
    }
    return failed(...problems.values());
  }
  const plain = toPlain(source, code);
  if (!plain.ok) return plain;
  const checked = schema.safeParse(plain.value);
  if (checked.success) return ok(checked.data);
  return failed(...checked.error.issues.flatMap((issue) => toProblems(issue)));

  function toProblems(issue: z.core.$ZodIssue): readonly Problem[] {
    const where = issue.path.length === 0 ? whole : issue.path.map(String).join('.');
    if (issue.code !== 'unrecognized_keys') {
      return [problem(code, `${where}: ${issue.message}`, { place: source.placeOf(issue.path) })];
    }
    return issue.keys.map((key) => {
      const [near] = issue.path.length === 0 ? nearest(key, keys) : [];
      return problem(code, `${where} does not support the key "${key}"`, {
        place: source.placeOfKey(issue.path, key),
        ...(near === undefined ? {} : { hint: `did you mean "${near}"?` }),
      });
    });
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] as string;
}

/** Resolving aliases refuses excessive expansion. */
function toPlain(source: YamlSource, code: ProblemCode): Result<unknown> {
  try {
    return ok(source.document.toJS({ maxAliasCount: 100 }));
  } catch (error) {
    return failed(problem(code, firstLine((error as Error).message), { place: source.placeOf([]) }));
  }
}
