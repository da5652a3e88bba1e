import { loadSources } from '../desired/find-files.ts';
import { readDesired } from '../desired/read-desired.ts';
import type { Desired } from '../model/desired.ts';
import type { Result } from '../problem/result.ts';
import type { Context } from './context.ts';

/** The desired state of the files given with `-f`, or of this folder's. */
export async function readDesiredState(files: readonly string[], { io }: Context): Promise<Result<Desired>> {
  const sources = await loadSources(files, io.cwd);
  return sources.ok ? readDesired(sources.value) : sources;
}
