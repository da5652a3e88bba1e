import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { CallFailure, Client } from '../client/client.ts';

/** Why a call other than the list of hosts failed: a 403 for it proves nothing about the credentials in general. */
export function rightProblem({ problem: cause }: CallFailure, what: string): Problem {
  if (cause.code !== 'forbidden') return cause;
  return {
    ...cause,
    code: 'not-allowed',
    hint: `the credentials do not have the right to ${what}: request that right; "rampart doctor credentials --rights" shows which lists they can read`,
  };
}

/**
 * The same for lists that return 403 where others return 401 (specification section 5, custom fields). The
 * authentication check distinguishes a missing right from wrong credentials.
 */
export async function rightOrCredentials(
  client: Client,
  failure: CallFailure,
  what: string,
): Promise<Problem> {
  if (failure.problem.code !== 'forbidden') return failure.problem;
  const check = await testCredentials(client);
  const areWrong = check.problems.some(({ code }) => code === 'not-authenticated');
  return areWrong ? credentialsRejected : rightProblem(failure, what);
}

/** Asks the service whether it accepts the credentials. */
export async function testCredentials(client: Client): Promise<Result<null>> {
  const answer = await client.call('checkAuthentication');
  if (!answer.ok) return failed(answer.failure.problem);
  return answer.value.success ? ok(null) : failed(credentialsRejected);
}

export const credentialsRejected = problem(
  'not-authenticated',
  'the service does not accept the credentials',
  {
    hint: "compare the company ID, the key (or the session) and the authentication method with the API tab of the account's configuration",
  },
);
