import { problem } from '../../../core/problem/problem.ts';
import { withSharedFiles } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import type { ExitCode } from '../shell/exit-code.ts';
import { contextOf } from './account-context.ts';
import { selectedAccounts } from './selected-accounts.ts';

/** Commands that don't use an account, or select accounts themselves. */
const withoutAccount: ReadonlySet<string> = new Set(['complete', 'completion', 'emulator', 'init', 'schema']);
/** Commands with code of their own for several accounts. */
const ofSeveral: ReadonlySet<string> = new Set(['plan', 'apply']);

/** Runs a command for the selected account. Without a selector the environment names the account. */
export async function forSelected(
  context: Context,
  command: string,
  code: (context: Context) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (withoutAccount.has(command)) return code(context);
  const selected = await selectedAccounts(context);
  if (!selected.ok) return context.fail(selected.problems);
  if (selected.value === null) return code(context);
  const [only, ...others] = selected.value;
  if (only !== undefined && others.length === 0) return code(contextOf(context, only));
  if (ofSeveral.has(command)) return code(withSharedFiles(context, selected.value));
  return context.fail([
    problem('usage', `rampart ${command} takes one account, and ${selected.value.length} are selected`, {
      hint: 'select one account: --account NAME',
    }),
  ]);
}
