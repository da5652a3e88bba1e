import { fillName } from '../../core/model/account-placeholders.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { withSharedFiles } from '../planning/read-desired-state.ts';
import type { AccountScope } from '../program/cli-command.ts';
import type { Context } from '../shell/context.ts';
import { contextOf } from './account-context.ts';
import { forEachAccount } from './for-each-account.ts';
import { selectedAccounts } from './selected-accounts.ts';

export interface CalledCommand<Flags extends object> {
  /** The words of the command, such as `hosts inventory pull`. */
  readonly command: string;
  readonly accounts: AccountScope;
  readonly flags: Flags;
}

/** Runs a command for the selected accounts. Without a selector the environment names the account. */
export async function forSelected<Flags extends object>(
  context: Context,
  { command, accounts, flags }: CalledCommand<Flags>,
  codeOf: (context: Context, flags: Flags) => Promise<ExitCode>,
): Promise<ExitCode> {
  const code = (each: Context) => codeOf(each, flags);
  if (accounts === 'none' || 'server' in flags) return code(context);
  const selected = await selectedAccounts(context);
  if (!selected.ok) return context.fail(selected.problems);
  if (selected.value === null) return code(context);
  const [only, ...others] = selected.value;
  if (namesOne(context.settings) && only !== undefined) return code(contextOf(context, only));
  const sharing: Context = { ...withSharedFiles(context, selected.value), accounts: selected.value };
  if (accounts === 'together') return code(sharing);
  if (accounts === 'each') {
    const misuse = misuseOf(context, command, flags);
    if (misuse !== undefined) return context.fail([misuse]);
    if (hasOneIssue(flags)) return code(sharing);
    return forEachAccount(sharing, selected.value, (own) => codeOf(own, withName(flags, own)));
  }
  if (only === undefined) return exitCodes.success;
  return others.length === 0
    ? code(contextOf(context, only))
    : context.fail([takesOne(command, selected.value.length)]);
}

/** The flags decide the form of the output, never the number of accounts: a program must know it before it runs. */
function namesOne({ accountNames, accountsWhere, changedSince }: Context['settings']): boolean {
  return accountNames.length === 1 && accountsWhere === undefined && changedSince === undefined;
}

/** `{name}` in the path of --out stands for the name of the account, also in messages about the file. */
function withName<Flags extends object>(flags: Flags, { account }: Context): Flags {
  if (account === undefined || !('out' in flags) || typeof flags.out !== 'string') return flags;
  return { ...flags, out: fillName(flags.out, account.name) };
}

/** A key without `{name}` is that of one issue for all accounts. */
function hasOneIssue(flags: object): boolean {
  return 'issue' in flags && typeof flags.issue === 'string' && !flags.issue.includes('{name}');
}

function takesOne(command: string, count: number): Problem {
  return problem('usage', `rampart ${command} takes one account, and ${count} are selected`, {
    hint: 'select one account: --account NAME',
  });
}

function misuseOf({ settings }: Context, command: string, flags: object): Problem | undefined {
  const { format } = settings;
  const isTable = (format === 'csv' || format === 'ndjson') && command !== 'import';
  if (format !== 'text' && format !== 'json' && !isTable) {
    return problem('usage', `--format ${format} can't hold the output of several accounts`, {
      hint: 'use --json, or name one account: --account NAME',
    });
  }
  if ('out' in flags && typeof flags.out === 'string' && !flags.out.includes('{name}')) {
    return problem('usage', `--out ${flags.out} is one file, and several accounts may be selected`, {
      hint: 'write {name} in the path, such as --out {name}.json; it stands for the name of the account',
    });
  }
  if (settings.changedSince !== undefined && hasOneIssue(flags)) {
    return problem('usage', '--changed-since leaves out accounts, and one issue shows the drift of all', {
      hint: 'remove --changed-since, or write {name} in the key, such as --issue fleet-{name}',
    });
  }
  return undefined;
}
