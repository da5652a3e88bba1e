import { type Problem, problem } from '../../core/problem/problem.ts';

/** A register that was not read. `why` contains no row and no credentials. */
export function unreadableSource(source: string, why: string, hint?: string): Problem {
  return problem(
    'table-unreadable',
    `the source "${source}" can't be read: ${why}`,
    hint === undefined ? {} : { hint },
  );
}

/** A response to the request of a page that has no page. */
export function refusedRequest(source: string, status: number): Problem {
  if (status === 401 || status === 403)
    return unreadableSource(
      source,
      `it refuses the credentials (${status})`,
      'check the credentials of the source',
    );
  if (status >= 300 && status < 400)
    return unreadableSource(
      source,
      `it redirects (${status})`,
      'redirects are not followed: correct the address',
    );
  return unreadableSource(source, `it answered ${status}`, 'check the path of the table');
}
