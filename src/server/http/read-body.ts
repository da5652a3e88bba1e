import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** The largest body of a request, in bytes. */
const mostBodyBytes = 1_048_576;

/** The body as text. A larger one, and text that is not UTF-8, is refused. */
export async function readBody(request: Request): Promise<Result<string>> {
  const bytes = await readAtMost(request, mostBodyBytes);
  if (bytes === undefined)
    return failed(
      problem('too-large', 'The body of the request is larger than 1 MB', { hint: 'send less at once' }),
    );
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return failed(problem('not-json', 'The body of the request is not UTF-8'));
  }
}

/** Undefined if the body is larger than the limit. No more than the limit is read. */
export async function readAtMost({ headers, body }: Request, most: number): Promise<Uint8Array | undefined> {
  if (Number(headers.get('content-length') ?? 0) > most) return undefined;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Whether the body is declared as JSON. Browsers can't send this type to another origin without asking first. */
export function isJson(contentType: string | null): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType ?? '');
}
