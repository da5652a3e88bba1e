import { checkCompany } from '../../accounts/engine/planning.ts';
import type { Account } from '../../core/model/account.ts';
import type { Desired } from '../../core/model/desired.ts';
import type { Observed } from '../../core/model/observed.ts';
import { readSnapshot } from '../../core/model/snapshot.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { withConnection } from '../service/read-fleet.ts';
import { type Context, readTextFile } from '../shell/context.ts';

export interface FleetRead {
  readonly account: Account;
  readonly observed: Observed;
}

export interface LiveOrSavedOptions {
  /** A snapshot to read instead of the service. */
  readonly saved?: string | undefined;
  readonly antivirus: boolean;
  /** The desired state, which may name an account. */
  readonly desired?: Desired;
}

/** The lists of the fleet, with no other facts. */
export async function readLiveOrSaved(
  context: Context,
  { saved, antivirus, desired }: LiveOrSavedOptions,
): Promise<Result<FleetRead>> {
  const isRight = (account: Account) => (desired === undefined ? ok(null) : checkCompany(desired, account));
  if (saved === undefined) {
    return withConnection(context, async ({ account, reader }) => {
      const right = isRight(account);
      if (!right.ok) return right;
      const read = await reader.read({ antivirus });
      return read.ok ? ok({ account, observed: read.value }, read.problems) : read;
    });
  }
  const text = await readTextFile(context.path(saved), saved);
  if (!text.ok) return text;
  const snapshot = readSnapshot(text.value, saved);
  if (!snapshot.ok) return snapshot;
  const right = isRight(snapshot.value.account);
  return right.ok ? ok(snapshot.value, snapshot.problems) : right;
}
