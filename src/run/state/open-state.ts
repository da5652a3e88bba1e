import { ok, type Result } from '../../core/problem/result.ts';
import { openFilesState } from './files/files-state.ts';
import type { State } from './interface/state.ts';

export interface OpenStateOptions {
  /** An absolute path. */
  readonly stateDir: string;
  /** The folder as the user gave it. */
  readonly shown?: string;
  /** The address of a PostgreSQL database, which then holds the state instead of the folder. */
  readonly url?: string | undefined;
}

/** Connects to nothing yet: a database is asked when something of it is needed. */
export async function openState({
  stateDir,
  shown = stateDir,
  url,
}: OpenStateOptions): Promise<Result<State>> {
  if (url === undefined) return ok(openFilesState(stateDir, shown));
  // The driver is loaded only if there is a database.
  const { openPostgresState } = await import('./postgres/postgres-state.ts');
  return ok(openPostgresState(url));
}
