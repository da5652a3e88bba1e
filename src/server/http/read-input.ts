import { z } from 'zod';
import { issueWords } from '../../core/lib/issue-words.ts';
import { parseJson } from '../../core/lib/parse-json.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { ApiRoute, RouteCall } from './route.ts';

type Input = Pick<RouteCall, 'params' | 'query' | 'body'>;

/** A route without a schema for its query or body takes nothing there. */
const nothing = z.strictObject({});

/**
 * The parameters, query and body of a request, checked against the schemas of its route. A query parameter or a field that
 * the route does not know is refused: it could be one that the caller relies on.
 */
export function readInput(
  { params, query, body }: Pick<ApiRoute, 'params' | 'query' | 'body'>,
  request: Request,
  givenParams: Readonly<Record<string, string>>,
  text: string,
): Result<Input> {
  const search = readQuery(new URL(request.url).searchParams);
  if (!search.ok) return search;
  const json = text === '' ? {} : parseJson(text);
  if (json === undefined) return failed(problem('not-json', 'The body is not valid JSON'));
  const read = {
    params: check(params, givenParams, 'the path'),
    query: check((query ?? nothing).strict(), search.value, 'the query'),
    body: check(body ?? nothing, json, 'the body'),
  };
  const problems = Object.values(read).flatMap((each) => (each.ok ? [] : each.problems));
  if (problems.length > 0) return failed(...problems);
  return ok({
    params: read.params.ok ? read.params.value : undefined,
    query: read.query.ok ? read.query.value : undefined,
    body: read.body.ok ? read.body.value : undefined,
  });
}

/** A parameter that comes twice has no single meaning, so it is refused. */
function readQuery(search: URLSearchParams): Result<Readonly<Record<string, string>>> {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    if (values.has(name)) return failed(invalid(`The query has "${name}" twice`));
    values.set(name, value);
  }
  return ok(Object.fromEntries(values));
}

function check(schema: z.ZodType | undefined, value: unknown, where: string): Result<unknown> {
  if (schema === undefined) return ok(undefined);
  const read = schema.safeParse(value);
  if (read.success) {
    const { data } = read;
    return isStorable(data) ? ok(data) : failed(invalid(`In ${where}, a text has a character that is none`));
  }
  return failed(
    ...read.error.issues.slice(0, 20).map((issue) => invalid(`In ${where}, ${issueWords(issue)}`)),
  );
}

function invalid(message: string): Problem {
  return problem('invalid-value', message, { hint: 'see /api/v1/openapi.json' });
}

/**
 * A database stores neither the character 0 nor half of a surrogate pair. A value that a schema accepted is not nested
 * deeply.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => isStorable(name) && isStorable(each));
}
