import { z } from 'zod';
import { problem } from '../../../core/problem/problem.ts';
import type { Peer } from '../../http/http-parts.ts';
import { problemAnswer } from '../../http/problem-answer.ts';
import { isJson, readBody } from '../../http/read-body.ts';
import { readInput } from '../../http/read-input.ts';
import { exchangeToken } from './exchange.ts';

const exchangeRequest = z.strictObject({ token: z.string() });

/** `POST /api/v1/exchange`, which pipelines call before they have a token. */
export function createExchangeAnswer(parts: Parameters<typeof exchangeToken>[2]) {
  return async (request: Request, { address }: Peer): Promise<Response> => {
    if (!isJson(request.headers.get('content-type'))) return problemAnswer([notJson], { status: 415 });
    const text = await readBody(request);
    if (!text.ok) return problemAnswer(text.problems);
    const input = readInput({ body: exchangeRequest }, request, {}, text.value);
    if (!input.ok) return problemAnswer(input.problems);
    const body = input.value.body as z.infer<typeof exchangeRequest>;
    const exchanged = await exchangeToken(body.token, address, parts);
    if (!exchanged.ok) return problemAnswer(exchanged.problems);
    const { token, subject, grants, expiresAt } = exchanged.value;
    return Response.json(
      { token, subject, grants, expires_at: expiresAt.toISOString() },
      { headers: { 'cache-control': 'no-store' } },
    );
  };
}

const notJson = problem('not-json', 'The body must be JSON with the token of the job', {
  hint: 'send { "token": "…" } with the header Content-Type: application/json',
});
