import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface GitServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly origin: string;
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[];
  /** Answers a request itself if it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly folder: string;
}

const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_AUTHOR_NAME: 'Jane Doe',
  GIT_AUTHOR_EMAIL: 'jane@example.com',
  GIT_COMMITTER_NAME: 'Jane Doe',
  GIT_COMMITTER_EMAIL: 'jane@example.com',
  GIT_AUTHOR_DATE: '2026-11-23T08:00:00Z',
  GIT_COMMITTER_DATE: '2026-11-23T08:00:00Z',
};

export function git(cwd: string, ...argv: readonly string[]): string {
  return execFileSync('git', argv, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** The Git over HTTP of this machine, on loopback. Repositories are folders of `folder`. */
export async function startGitServer(): Promise<GitServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-git-'));
  const requests: GitServer['requests'] = [];
  const own: Pick<GitServer, 'intercept'> = { intercept: () => false };
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization });
    if (own.intercept(request, response)) return;
    serve(folder, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    folder,
    get intercept() {
      return own.intercept;
    },
    set intercept(intercept) {
      own.intercept = intercept;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serve(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      ...(request.headers['git-protocol'] === undefined
        ? {}
        : { GIT_PROTOCOL: String(request.headers['git-protocol']) }),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  let head: Buffer | undefined = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === undefined) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    for (const line of head.subarray(0, end).toString('latin1').split('\r\n')) {
      const [name = '', ...rest] = line.split(': ');
      const value = rest.join(': ');
      if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    head = undefined;
  });
  child.on('close', () => response.end());
}

export type GivenFiles = Readonly<Record<string, string | { readonly link: string }>>;

/** A repository at `<name>.git` whose branch `main` has these files. Returns a function that commits others. */
export function givenRepository(server: Pick<GitServer, 'folder'>, name: string, files: GivenFiles) {
  const work = join(server.folder, `.work-${name}`);
  const bare = join(server.folder, `${name}.git`);
  mkdirSync(work, { recursive: true });
  git(work, 'init', '--quiet', '--initial-branch=main');
  git(server.folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  git(bare, 'config', 'uploadpack.allowFilter', 'true');
  const commit = (content: GivenFiles, message = 'Change the fleet'): string => {
    for (const [path, text] of Object.entries(content)) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      rmSync(join(work, path), { force: true });
      if (typeof text === 'string') writeFileSync(join(work, path), text);
      else symlinkSync(text.link, join(work, path));
    }
    git(work, 'add', '--all', '--force');
    git(work, 'commit', '--quiet', '--allow-empty', '--message', message);
    git(work, 'push', '--quiet', '--force', bare, 'HEAD:refs/heads/main');
    return git(work, 'rev-parse', 'HEAD');
  };
  const first = commit(files);
  /** Makes an earlier commit the branch again. */
  const rewind = (to: string) => {
    git(work, 'reset', '--quiet', '--hard', to);
    git(work, 'push', '--quiet', '--force', bare, 'HEAD:refs/heads/main');
  };
  return { work, bare, commit, rewind, first };
}
