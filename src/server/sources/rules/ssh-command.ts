import { readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { SshFiles } from '../../settings/server-settings.ts';

export interface SshTarget {
  /** The name of the source. */
  readonly name: string;
  readonly ssh: SshFiles | undefined;
  /** The host of the address, and the IP address that was checked for it. */
  readonly host: string;
  readonly port: string;
  readonly pinned: string;
}

/**
 * The command with which Git starts SSH: it offers one key, accepts the host keys of one file, asks nothing, and reads no
 * configuration, agent or key of the user. It connects to the IP address that was checked, while the host key is that of
 * the name.
 */
export function sshCommand({ name, ssh, host, port, pinned }: SshTarget): Result<string> {
  if (ssh === undefined) {
    return failed(
      problem('configuration', `the source "${name}" has no SSH key`, {
        hint: 'set "sshKeyFile" and "sshKnownHostsFile" of the source',
      }),
    );
  }
  const wrong =
    fileProblem(`the SSH key of the source "${name}"`, ssh.key) ??
    fileProblem(`the known hosts of the source "${name}"`, ssh.knownHosts);
  if (wrong !== undefined) return failed(wrong);
  if (hasPassphrase(ssh.key)) {
    return failed(
      problem(
        'configuration',
        `the SSH key of the source "${name}" has a passphrase, and Rampart enters none`,
        {
          hint: 'write an OpenSSH key without a passphrase to "sshKeyFile"',
        },
      ),
    );
  }
  const options = {
    BatchMode: 'yes',
    StrictHostKeyChecking: 'yes',
    UserKnownHostsFile: `"${ssh.knownHosts}"`,
    GlobalKnownHostsFile: devNull,
    UpdateHostKeys: 'no',
    VerifyHostKeyDNS: 'no',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    IdentityFile: `"${ssh.key}"`,
    PreferredAuthentications: 'publickey',
    HostName: pinned,
    HostKeyAlias: port === '22' ? host : `[${host}]:${port}`,
    ForwardAgent: 'no',
    ClearAllForwardings: 'yes',
    PermitLocalCommand: 'no',
    ControlPath: 'none',
    ConnectTimeout: '20',
    ServerAliveInterval: '10',
    ServerAliveCountMax: '3',
    LogLevel: 'ERROR',
  };
  // Git starts a shell with this text, so each word is quoted for it.
  const words = Object.entries(options).flatMap(([key, value]) => ['-o', quoteForShell(`${key}=${value}`)]);
  return ok(['ssh', '-F', quoteForShell(devNull), '-T', ...words].join(' '));
}

/** SSH replaces `%` and `${…}` in paths, and ends a path at a quotation mark. */
function fileProblem(what: string, path: string): Problem | undefined {
  if (/["%$\\\p{Cc}]/u.test(process.platform === 'win32' ? path.replaceAll('\\', '/') : path)) {
    return problem('configuration', `the path of ${what} has a character that SSH replaces`, {
      hint: 'use a path without quotation marks, %, $ and backslashes',
    });
  }
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true) return undefined;
  return problem('missing-credentials', `${what} is missing: there is no file ${path}`, {
    hint: 'write the file, and let only the user of the server read it',
  });
}

/**
 * For such a key, SSH reports only that the server refuses it. An OpenSSH key contains its cipher after a magic word of
 * 15 bytes and the length of the name; the older forms have it in their text. A file that can't be read is left to SSH.
 */
function hasPassphrase(path: string): boolean {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch {
    return false;
  }
  const [, body = ''] = /BEGIN OPENSSH PRIVATE KEY-+([^-]*)/.exec(text) ?? [];
  const key = Buffer.from(body, 'base64');
  return body === '' ? text.includes('ENCRYPTED') : key.toString('latin1', 19, 23) !== 'none';
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
