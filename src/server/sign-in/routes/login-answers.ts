import { printable } from '../../../core/lib/printable.ts';
import type { Problem } from '../../../core/problem/problem.ts';
import { problemAnswer, statusOf } from '../../http/problem-answer.ts';

/** A problem for the sender: a browser shows plain text, and a program reads JSON. Never HTML. */
export function loginProblem(problem: Problem, request: Pick<Request, 'headers'>): Response {
  if (!acceptsHtml(request)) return problemAnswer([problem]);
  const hint = problem.hint === undefined ? '' : `\n\nWhat to do: ${problem.hint}`;
  return plainText(`${problem.message}.${hint}`, statusOf(problem.code));
}

/** Whether a browser shows the response to a person. */
export function acceptsHtml({ headers }: Pick<Request, 'headers'>): boolean {
  return (headers.get('accept') ?? '').includes('text/html');
}

function plainText(text: string, status: number): Response {
  const lines = text.split('\n').map(printable).join('\n');
  return new Response(`${lines}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}

/** 303: the browser requests the target with GET, and no cache keeps it. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const answer = new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
  for (const each of cookies) answer.headers.append('set-cookie', each);
  return answer;
}
