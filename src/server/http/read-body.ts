import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** The largest body of a request, in bytes. */
const mostBodyBytes = 1_048_576;

const tooLarge = () =>
  failed(problem('too-large', 'The body of the request is larger than 1 MB', { hint: 'send less at once' }));

/** The body as text, without reading more than the limit. Text that is not UTF-8 is refused. */
export async function readBody(request: Request): Promise<Result<string>> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBodyBytes) return tooLarge();
  if (request.body === null) return ok('');
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body) {
    size += piece.byteLength;
    if (size > mostBodyBytes) return tooLarge();
    pieces.push(piece);
  }
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    return failed(problem('not-json', 'The body of the request is not UTF-8'));
  }
}

/** Whether the body is declared as JSON. Browsers can't send this type to another origin without asking first. */
export function isJson(contentType: string | null): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType ?? '');
}
