import { ok, type Result } from '../../core/problem/problem.ts';
import type { AuditKeys } from './audit/audit-keys.ts';
import { openFilesState } from './files/files-state.ts';
import type { State } from './interface/state.ts';

export interface OpenStateOptions {
  /** An absolute path. */
  readonly stateDir: string;
  /** The folder as the user gave it. */
  readonly shown?: string;
  /** The address of a PostgreSQL database, which then stores the state instead of the folder. */
  readonly url?: string | undefined;
  /** Sign the heads of the audit log, and accept signatures; unsigned if absent. */
  readonly auditKeys?: AuditKeys | undefined;
}

/** Does not connect yet: a database is connected on first use. */
export async function openState({
  stateDir,
  shown = stateDir,
  url,
  auditKeys,
}: OpenStateOptions): Promise<Result<State>> {
  if (url === undefined) return ok(openFilesState(stateDir, shown, auditKeys));
  // The driver is loaded only for a database.
  const { openPostgresState } = await import('./postgres/postgres-state.ts');
  return ok(openPostgresState(url, auditKeys));
}
