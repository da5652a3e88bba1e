import { hostname, userInfo } from 'node:os';
import type { Origin } from '../journal/record.ts';
import { git } from './git.ts';
import { isCommitKnown, type OriginInputs, originOf } from './origin-of.ts';

export interface ReadOriginOptions extends Omit<OriginInputs, 'local'> {
  /** The folder whose Git commit and branch are used. */
  readonly cwd: string;
}

/** The origin of a run that this process begins. Git is called only if no other source provides the commit. */
export async function readOrigin({ cwd, ...inputs }: ReadOriginOptions): Promise<Origin> {
  const { env } = inputs;
  const head = isCommitKnown(env) ? {} : await gitHead({ cwd, env });
  return originOf({ ...inputs, local: { user: userName(), host: hostname(), ...head } });
}

async function gitHead(options: Parameters<typeof git>[1]) {
  const printed = await git(['rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'], options);
  const [commit, branch] = printed?.toString('utf8').split('\n') ?? [];
  // A checkout of a single commit has no branch.
  return { commit, branch: branch === 'HEAD' ? undefined : branch };
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
