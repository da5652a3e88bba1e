import { headWords } from '../../run/state/audit/signed-head.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { Context } from '../shell/context.ts';

/** Prints the head that this run signed, so that the log of the job and its comment keep a copy of it. */
export async function logAuditHead(context: Context, { audit }: Pick<State, 'audit'>): Promise<void> {
  const signed = await audit.remembered();
  if (signed.ok && signed.value !== null) context.log(headWords(signed.value));
}
