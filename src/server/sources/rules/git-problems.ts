import { printable } from '../../../core/lib/printable.ts';
import { secretForms } from '../../../core/lib/secret-forms.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import type { ProblemCode } from '../../../core/problem/problem-code.ts';
import type { GitEnd } from './git-process.ts';
import type { SourceLimits } from './source-limits.ts';

interface Known {
  readonly pattern: RegExp;
  readonly code: ProblemCode;
  readonly message: string;
  readonly hint: string;
}

/** What Git prints in its English texts. Git offers no codes. */
const known: Readonly<Record<string, Known>> = {
  memory: {
    pattern: /attempting to allocate .* over limit|out of memory/i,
    code: 'too-large',
    message: 'has an object that needs too much memory',
    hint: 'remove large files from the repository, or use a repository that only has the desired state',
  },
  key: {
    // Git reports "invalid format - …" for an object.
    pattern: /unprotected private key|bad permissions|error in libcrypto|: invalid format\s*$/im,
    code: 'configuration',
    message: "can't be reached, because SSH refuses the private key of the source",
    hint: 'write an OpenSSH key without a passphrase to "sshKeyFile", and run chmod 600 on it',
  },
  credentials: {
    pattern:
      /authentication failed|could not read (?:username|password)|error: (?:401|403)|permission denied \(/i,
    code: 'not-authenticated',
    message: 'refuses the credentials',
    hint: 'check the token or the SSH key of the source, and its permission to read the repository',
  },
  repository: {
    pattern: /repository .*not found|error: 404|does not appear to be a git repository/i,
    code: 'not-found',
    message: 'does not exist, or its token may not read it',
    hint: 'check the address of the source and the permissions of its token',
  },
  redirect: {
    pattern: /unable to update url base from redirection|error: 30[12378]/i,
    code: 'redirected',
    message: 'responds with a redirect, which Rampart does not follow',
    hint: 'write the address that the repository has now',
  },
  hostKey: {
    pattern: /host key verification failed/i,
    code: 'insecure-url',
    message: 'has an unknown SSH host key',
    hint: 'add the host key to the file "sshKnownHostsFile" of the source, if it is the one that the Git server publishes',
  },
  certificate: {
    pattern: /certificate|SSL/i,
    code: 'insecure-url',
    message: 'has no valid TLS certificate',
    hint: 'install the certificate authority on this machine',
  },
  network: {
    pattern:
      /could not resolve host|failed to connect|couldn't connect|connection (?:refused|reset|timed out)/i,
    code: 'network',
    message: "can't be reached",
    hint: 'the latest commit that was fetched stays in use, and the next fetch tries again',
  },
  slow: {
    pattern: /operation too slow|less than \d+ bytes\/sec/i,
    code: 'timed-out',
    message: 'sends data too slowly',
    hint: 'the latest commit that was fetched stays in use, and the next fetch tries again',
  },
};

const shown = 200;

/** Says why a call of Git failed. Secrets, and what looks like an escape sequence, never reach the text. */
export function gitProblem(
  end: Exclude<GitEnd, { kind: 'done' }>,
  source: string,
  limits: SourceLimits,
  token: string | undefined,
): Problem {
  const subject = `the repository of the source "${source}"`;
  switch (end.kind) {
    case 'not-started':
      return problem('configuration', `Git can't be started (${end.code})`, {
        hint: 'install Git on this machine, or use a folder as the source',
      });
    case 'stopped':
      return stopped(end.why, subject, limits);
    case 'failed': {
      const found = Object.values(known).find(({ pattern }) => pattern.test(end.text));
      if (found !== undefined)
        return problem(found.code, `${subject} ${found.message}`, { hint: found.hint });
      const [line = ''] = end.text.split('\n').filter((each) => /^(?:fatal|error): /.test(each));
      const forms = [...secretForms(token ?? '')].filter((form) => form !== '');
      const text = forms.reduce((clean, form) => clean.replaceAll(form, '…'), line);
      const cut = printable(text.replace(/^\w+: /, '')).slice(0, shown);
      return problem('network', `${subject} can't be read${cut === '' ? '' : `: Git reports "${cut}"`}`, {
        hint: 'run git ls-remote with the address of the source on this machine',
      });
    }
  }
}

function stopped(
  why: 'time' | 'size' | 'cancelled',
  subject: string,
  { timeMs, fetchedBytes }: SourceLimits,
): Problem {
  switch (why) {
    case 'time':
      return problem('timed-out', `${subject} did not answer within ${Math.round(timeMs / 1000)} s`, {
        hint: 'the latest commit that was fetched stays in use, and the next fetch tries again',
      });
    case 'size':
      return problem(
        'too-large',
        `${subject} sends more than ${Math.round(fetchedBytes / 1024 / 1024)} MiB`,
        {
          hint: 'name the folder of the desired state as the path of the source, or use a smaller repository',
        },
      );
    case 'cancelled':
      return problem('cancelled', 'the fetch was cancelled');
  }
}
