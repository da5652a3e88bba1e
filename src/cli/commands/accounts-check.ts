import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { ok, type Problem, type Result } from '../../core/problem/problem.ts';
import { toProblemRecord } from '../../output/review/problem-record.ts';
import { type ExitCode, exitCodeOf, exitCodes, exitOverAccounts } from '../../run/apply/exit-code.ts';
import { createAdaptivePacer } from '../../service/client/adaptive-pacer.ts';
import type { Pacer } from '../../service/client/pacer.ts';
import { testCredentials } from '../../service/wire/right-problem.ts';
import { contextOf } from '../accounts/account-context.ts';
import { inParallel } from '../accounts/in-parallel.ts';
import { chosenAccounts } from '../accounts/selected-accounts.ts';
import { withConnection } from '../service/read-fleet.ts';
import { type Context, hearStop } from '../shell/context.ts';

interface Checked {
  readonly account: string;
  readonly exitCode: ExitCode;
  readonly problems: readonly Problem[];
}

/** The most requests per second for all accounts together, so that a check never floods a service that they share. */
const mostPerSecond = 20;

/**
 * Reads the key of each account and sends one GET with it, for some accounts at the same time. All accounts share one
 * pace, which a service that refuses requests slows for all.
 */
export async function checkAccounts(context: Context): Promise<ExitCode> {
  const accounts = await chosenAccounts(context);
  if (!accounts.ok) return context.fail(accounts.problems);
  const stop = hearStop(context, 'accounts that are running finish');
  const pacer = createAdaptivePacer({ clock: context.io.clock, ceiling: mostPerSecond });
  const results = await inParallel(accounts.value, context.settings.parallel, async (account) =>
    stop.signal.aborted ? undefined : checkOne(context, account, { pacer, signal: stop.signal }),
  );
  stop.end();
  const checked = results.filter((each) => each !== undefined);
  printChecked(context, checked, accounts.value.length);
  const interrupted = checked.length < accounts.value.length ? [exitCodes.interrupted] : [];
  return exitOverAccounts([...checked.map(({ exitCode }) => exitCode), ...interrupted]);
}

interface CheckPace {
  readonly pacer: Pacer;
  /** Aborted after a signal: accounts that wait for their turn are not checked. */
  readonly signal: AbortSignal;
}

/** Undefined if a signal came before the turn of the account. */
async function checkOne(
  context: Context,
  account: AccountConfig,
  { pacer, signal }: CheckPace,
): Promise<Checked | undefined> {
  let isChecked = true;
  const result = await withConnection(
    contextOf(context, account),
    async ({ client }): Promise<Result<null>> => {
      const turn = await pacer.acquire({ signal });
      if (turn.kind !== 'go') {
        isChecked = false;
        return ok(null);
      }
      const accepted = await testCredentials(client);
      // The client repeats a refused request itself.
      if ((client.sent.get('checkAuthentication') ?? 0) > 1) turn.permit.refused();
      else turn.permit.accepted();
      return accepted;
    },
  );
  if (!isChecked) return undefined;
  const { problems } = result;
  return { account: account.name, exitCode: result.ok ? exitCodes.success : exitCodeOf(problems), problems };
}

function printChecked(context: Context, checked: readonly Checked[], all: number): void {
  const failures = checked.filter(({ exitCode }) => exitCode !== exitCodes.success);
  if (context.settings.format === 'json') {
    context.printJson({
      format_version: '1.0',
      accounts: checked.map(({ account, exitCode, problems }) => ({
        account,
        exit_code: exitCode,
        problems: problems.map(toProblemRecord),
      })),
    });
    return;
  }
  const { red, green } = context.settings.outColor;
  const given = new Set<string>();
  for (const { account, exitCode, problems } of checked) {
    const isGood = exitCode === exitCodes.success;
    const word = isGood ? green('valid ') : red('failed');
    const why = isGood ? '' : `  ${problems.map(({ message }) => printable(message)).join('; ')}`;
    context.print(`${word}  ${account}${why}\n`);
    // Many accounts can have the same cause.
    for (const { hint } of isGood ? [] : problems) {
      if (hint === undefined || given.has(hint)) continue;
      given.add(hint);
      context.print(`        = ${printable(hint)}\n`);
    }
  }
  context.print(`${count(checked.length - failures.length, 'account')} valid, ${failures.length} failed`);
  context.print(checked.length < all ? `, ${all - checked.length} not checked.\n` : '.\n');
}
