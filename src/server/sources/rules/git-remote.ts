import type { Environment } from '../../../core/lib/surroundings.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import type { GitAddress } from './git-address.ts';
import { gitProblem } from './git-problems.ts';
import { type GitCall, runGit } from './git-process.ts';
import type { SourceLimits } from './source-limits.ts';

export interface GitRemote {
  /** The name of the source. */
  readonly name: string;
  readonly address: GitAddress;
  /** A branch, a tag or a full ref name. */
  readonly ref: string;
  /** Empty: the root. */
  readonly path: string;
  readonly token: string | undefined;
  readonly env: Environment;
  readonly limits: SourceLimits;
  /** As `performance.now()` counts. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}

export interface RemoteCall {
  readonly argv: readonly string[];
  readonly settings?: GitCall['settings'];
  readonly input?: string;
  readonly mostBytes: number;
  /** Whether Git may connect to the remote. */
  readonly online?: boolean;
}

/** Runs Git for one source. The address and the token are in its environment, and only if it may connect. */
export async function callGit(
  { name, address, token, env, limits, deadline, signal }: GitRemote,
  folder: string,
  { argv, settings = [], input, mostBytes, online = false }: RemoteCall,
): Promise<Result<Buffer>> {
  const { url, protocol } = address;
  const authorization: [string, string][] =
    token === undefined || protocol === 'ssh'
      ? []
      : [[`http.${url.origin}/.extraHeader`, `Authorization: Basic ${headerOf(url, token)}`]];
  const remote: [string, string][] = [['remote.origin.url', url.href]];
  const end = await runGit({
    argv,
    folder,
    env,
    settings: online ? [...settings, ...remote, ...address.settings, ...authorization] : settings,
    protocols: online ? [protocol] : [],
    ssh: online ? address.ssh : undefined,
    input,
    mostBytes,
    mostStored: limits.fetchedBytes,
    deadline,
    signal,
  });
  if (end.kind === 'done') return ok(end.output);
  return failed(gitProblem(end, name, limits, token));
}

/** GitHub and GitLab accept a token as the password of any user. */
function headerOf(url: URL, token: string): string {
  const user = url.username === '' ? 'x-access-token' : decodeURIComponent(url.username);
  return Buffer.from(`${user}:${token}`, 'utf8').toString('base64');
}
