import type { Problem } from '../core/problem/problem.ts';
import type { ExitCode } from '../run/apply/exit-code.ts';
import type { CommandEnd } from './run-command.ts';

/** The output of a command for one of several accounts. */
export interface AccountOutput {
  readonly account: string;
  /** Null if the command did not start for it. */
  readonly exit_code: ExitCode | null;
  readonly output: object | null;
}

/** Undefined if the command ended before the first account, for example because of an unknown label. */
export function accountOutputs({ out }: CommandEnd): readonly AccountOutput[] | undefined {
  const document: object = JSON.parse(out || '{}');
  return 'accounts' in document ? (document.accounts as readonly AccountOutput[]) : undefined;
}

/** Says which account has a problem. */
export function inAccount(account: string, problem: Problem): Problem {
  return { ...problem, message: `${account}: ${problem.message}` };
}
