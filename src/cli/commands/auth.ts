import { printable } from '../../lib/printable.ts';
import { problem } from '../../problem/problem.ts';
import { failed, ok } from '../../problem/result.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { withConnection } from '../read-fleet.ts';

export async function auth(context: Context): Promise<ExitCode> {
  const checked = await withConnection(context, async ({ account, client }) => {
    const answer = await client.call('checkAuthentication');
    if (!answer.ok) return failed(answer.failure.problem);
    return answer.value.success ? ok(account) : failed(rejected);
  });
  if (!checked.ok) return context.fail(checked.problems);
  context.report(checked.problems);
  const { companyId, service } = checked.value;
  if (context.settings.format === 'json') context.printJson({ valid: true, company_id: companyId, service });
  else {
    const whose = companyId === null ? '' : ` for company ${printable(companyId)}`;
    context.print(`The credentials are valid${whose} at ${printable(service)}.\n`);
  }
  return exitCodes.success;
}

const rejected = problem('not-authenticated', 'the service does not accept the credentials', {
  hint: 'check RAMPART_COMPANY_ID and RAMPART_PSK against the API tab of the account’s configuration',
});
