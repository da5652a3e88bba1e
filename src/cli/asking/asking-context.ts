import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { unforeseen } from '../../accounts/engine/unforeseen.ts';
import { quoted } from '../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { contextOf } from '../accounts/account-context.ts';
import { chosenAccounts } from '../accounts/selected-accounts.ts';
import type { Context } from '../shell/context.ts';
import { createRunEventHub } from '../shell/event-hub.ts';

/** The context of one question. */
export interface Asking {
  /**
   * It can't write: every client that is created from it is read-only, nobody answers prompts, and output is captured.
   */
  readonly context: Context;
  /** Warnings and notes so far. */
  readonly problems: () => readonly Problem[];
  /** The document that a command prints. */
  document(command: (context: Context) => Promise<ExitCode>): Promise<Result<unknown>>;
}

/** Answers a question about one of the accounts that the flags select. */
export async function ask<T>(
  context: Context,
  name: string | undefined,
  answer: (asking: Asking) => Promise<Result<T>>,
): Promise<Result<T>> {
  const account = await accountNamed(context, name);
  if (!account.ok) return account;
  const asking = askingIn(context, account.value);
  try {
    const result = await answer(asking);
    return { ...result, problems: [...new Set([...asking.problems(), ...result.problems])] };
  } catch (error) {
    return failed(unforeseen(error));
  }
}

function askingIn(outside: Context, account: AccountConfig | undefined): Asking {
  const printed: string[] = [];
  const problems: Problem[] = [];
  const events = createRunEventHub();
  events.listen((event) => {
    if (event.type === 'diagnostic') problems.push(event.problem);
    outside.events.emit(event);
  });
  const kept = (write: (text: string) => void) => ({ isTerminal: false, columns: null, write });
  const io = {
    env: { ...outside.io.env, RAMPART_READ_ONLY: '1' },
    stdout: kept((text) => void printed.push(text)),
    stderr: kept(() => {}),
    prompt: async () => null,
    onInterrupt: () => () => {},
  };
  const settings = { ...outside.settings, format: 'json', quiet: true, verbose: false } as const;
  const context = contextOf({ ...outside, events, settings }, account, io);
  return {
    context,
    problems: () => problems,
    async document(command) {
      const code = await command(context);
      return code === exitCodes.success ? ok(JSON.parse(printed.join('')) as unknown) : failed();
    },
  };
}

/** The accounts that the flags select, all without a flag; none without a configuration. */
export async function accountsToAsk(context: Context): Promise<Result<readonly AccountConfig[]>> {
  const file = await readAccounts({ folder: context.io.cwd, env: context.io.env });
  if (!file.ok) return file;
  return file.value.accounts.length === 0 ? ok([]) : chosenAccounts(context);
}

/** Without a configuration, undefined: the environment names the account. */
async function accountNamed(
  context: Context,
  name: string | undefined,
): Promise<Result<AccountConfig | undefined>> {
  const accounts = await accountsToAsk(context);
  if (!accounts.ok) return accounts;
  const [only, ...others] = accounts.value;
  if (name === undefined) return others.length === 0 ? ok(only) : failed(needsName);
  const found = accounts.value.find((each) => each.name === name);
  return found === undefined ? failed(noAccount(name)) : ok(found);
}

const needsName = problem('usage', 'there are several accounts', {
  hint: 'pass "account", with a name of list_accounts',
});

function noAccount(name: string): Problem {
  return problem('not-found', `no account has the name ${quoted(name)}`, {
    hint: 'list_accounts lists the names',
  });
}
