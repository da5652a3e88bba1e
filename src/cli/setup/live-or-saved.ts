import { checkCompany } from '../../accounts/engine/planning.ts';
import type { Desired } from '../../core/model/desired.ts';
import { readSnapshot, type Snapshot } from '../../core/model/snapshot.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { withConnection } from '../service/read-fleet.ts';
import { type Context, readTextFile } from '../shell/context.ts';

export type FleetRead = Pick<Snapshot, 'account' | 'observed'>;

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
  if (saved !== undefined) return readSnapshotFile(context, saved, desired);
  return withConnection(context, async ({ account, reader }) => {
    const right = desired === undefined ? ok(null) : checkCompany(desired, account);
    if (!right.ok) return right;
    const read = await reader.read({ antivirus });
    return read.ok ? ok({ account, observed: read.value }, read.problems) : read;
  });
}

/** A saved fleet, which must be of the account that the desired state names. */
export async function readSnapshotFile(
  context: Context,
  file: string,
  desired?: Desired,
): Promise<Result<Snapshot>> {
  const text = await readTextFile(context.path(file), file);
  const snapshot = text.ok ? readSnapshot(text.value, file) : text;
  if (!snapshot.ok || desired === undefined) return snapshot;
  const matches = checkCompany(desired, snapshot.value.account);
  return matches.ok ? snapshot : matches;
}
