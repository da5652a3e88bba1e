import { printable } from '../../core/lib/printable.ts';
import { problem } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import type { UndoFlags } from '../commands/undo.ts';
import type { Context } from '../shell/context.ts';
import { askServer, localFlag, type ServerFlag } from './open-client.ts';

const localFlags = [
  'out',
  'ack',
  'autoApprove',
  'summary',
  'skipStale',
  'maxReadAge',
  'canary',
  'lockTimeout',
  'maxCalls',
  'deadline',
] as const;

/** Has a server plan the reversal of one of its runs. The plan waits for approval like any other. */
export async function undoOnServer(
  context: Context,
  flags: ServerFlag & UndoFlags,
  run: string | undefined,
): Promise<ExitCode> {
  const { server, reason } = flags;
  const local = localFlag(flags, localFlags);
  if (local !== undefined) return context.fail([local]);
  if (run === undefined || reason === undefined)
    return context.fail([
      problem('usage', `undo --server needs ${run === undefined ? 'the id of a run' : 'a reason'}`, {
        hint:
          run === undefined
            ? 'list the runs with: rampart runs --server'
            : 'add --reason TEXT; the server records it',
      }),
    ]);
  const address = typeof server === 'string' ? ` ${server}` : '';
  return askServer(
    context,
    flags,
    (client) => client.undoRun({ id: run, body: { reason } }),
    ({ plan }) =>
      `${printable(`The reversal waits for approval as plan ${plan}. Review it with: rampart show ${plan} --server${address}`)}\n`,
  );
}
