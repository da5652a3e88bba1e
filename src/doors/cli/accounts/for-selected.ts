import { type ExitCode, exitCodes } from '../../../control/engine/exit-code.ts';
import { problem } from '../../../core/problem/problem.ts';
import { withSharedFiles } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import { contextOf } from './account-context.ts';
import { forEachAccount } from './for-each-account.ts';
import { selectedAccounts } from './selected-accounts.ts';

/** Commands that don't use an account, or select accounts themselves. */
const withoutAccount =
  /^(?:accounts \w+|complete|completion|emulator|help|init|schema|show|rollout \w+|server|worker|status|approve|reject|pause|resume|override-window)$/;
/** Commands with code of their own for several accounts. */
const ofSeveral: ReadonlySet<string> = new Set(['plan', 'apply']);
/** Commands that run once for each account. */
const ofEach =
  /^(?:antivirus (?:status|refresh)|auth|custom-fields|doctor|drift|groups|hosts|import|inventory (?:export|fields|pull|show|status)|runs|snapshot|test|validate)$/;

export interface CalledCommand {
  /** The words of the command, such as `inventory pull`. */
  readonly command: string;
  readonly flags: object;
}

/** Runs a command for the selected accounts. Without a selector the environment names the account. */
export async function forSelected(
  context: Context,
  { command, flags }: CalledCommand,
  code: (context: Context) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (withoutAccount.test(command) || 'server' in flags) return code(context);
  const selected = await selectedAccounts(context);
  if (!selected.ok) return context.fail(selected.problems);
  if (selected.value === null) return code(context);
  const [only, ...others] = selected.value;
  if (only === undefined) {
    if (context.settings.format === 'json') context.printJson({ format_version: 1, accounts: [] });
    return exitCodes.success;
  }
  if (others.length === 0) return code(contextOf(context, only));
  const sharing = withSharedFiles(context, selected.value);
  if (ofSeveral.has(command)) return code(sharing);
  const misuse = misuseOf(context, command, flags, selected.value.length);
  return misuse === undefined ? forEachAccount(sharing, selected.value, code) : context.fail([misuse]);
}

function misuseOf({ settings }: Context, command: string, flags: object, count: number) {
  if (!ofEach.test(command) || 'update' in flags) {
    return problem('usage', `rampart ${command} takes one account, and ${count} are selected`, {
      hint: 'select one account: --account NAME',
    });
  }
  const { format } = settings;
  const isTable = (format === 'csv' || format === 'ndjson') && command !== 'import';
  if (format !== 'text' && format !== 'json' && !isTable) {
    return problem('usage', `--format ${format} can't hold the output of ${count} accounts`, {
      hint: 'use --json, or select one account: --account NAME',
    });
  }
  if ('out' in flags && typeof flags.out === 'string' && !flags.out.includes('{name}')) {
    return problem('usage', `--out ${flags.out} would be overwritten by each of ${count} accounts`, {
      hint: 'write {name} in the path, such as --out {name}.json; it stands for the name of the account',
    });
  }
  return undefined;
}
