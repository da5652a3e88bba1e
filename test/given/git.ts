import { execFileSync } from 'node:child_process';

/** Git in a folder, without the settings of this machine. It returns what Git prints. */
export function gitIn(folder: string): (...argv: readonly string[]) => string {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
  const env = { PATH: process.env['PATH'], HOME: folder };
  return (...argv) =>
    execFileSync('git', [...author, ...argv], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
}
