import { problem } from '../core/problem/problem.ts';
import { failed, ok, type Result } from '../core/problem/result.ts';
import type { ForgeClient } from './forge-client.ts';

const malformed = problem('malformed-response', 'GitLab returned an undocumented answer for /user');

/** The owner of the token. */
export async function gitlabUser(client: ForgeClient): Promise<Result<string>> {
  const failure = 'GitLab did not return the user of the token';
  const reply = await client.call({ failure, method: 'GET', path: '/user' });
  if (!reply.ok) return reply;
  const { username } = (reply.value.body ?? {}) as { readonly username?: unknown };
  return typeof username === 'string' ? ok(username) : failed(malformed);
}
