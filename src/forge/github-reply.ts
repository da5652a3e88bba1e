import type { ForgeReply } from './forge-call.ts';

/** An answer of octokit. */
export interface Answer {
  readonly status: number;
  readonly headers: object;
  readonly data?: unknown;
}

/** An answer as a value, even if octokit throws it; rejects if none came. */
export async function reply(answer: Promise<Answer>): Promise<ForgeReply> {
  try {
    return toReply(await answer);
  } catch (error) {
    const { response } = error as { readonly response?: Answer };
    if (response === undefined) throw error;
    return toReply(response);
  }
}

function toReply({ status, headers, data }: Answer): ForgeReply {
  return { status, headers: headers as ForgeReply['headers'], body: data };
}
