import { isLoopback } from '../../core/lib/loopback.ts';
import { memo } from '../../core/lib/memo.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** The owner of the address, and the advice in its problems. */
interface Addressee {
  readonly owner: string;
  readonly hint: string;
  /** Where its credentials belong. */
  readonly credentials: string;
}

/**
 * The service's address: https, or plain http to this machine only. Credentials, a query and a fragment are refused; a
 * path is kept without trailing slashes. No problem quotes more of it than the scheme and the host.
 */
export const parseBaseUrl: (text: string) => Result<URL> = memo((text) =>
  parse(text, {
    owner: 'service',
    hint: 'set RAMPART_BASE_URL to an address such as https://remote.example.com',
    credentials: 'RAMPART_COMPANY_ID and RAMPART_PSK',
  }),
);

/** The address of a Rampart server, under the same rules. */
export function parseServerUrl(text: string): Result<URL> {
  return parse(text, {
    owner: 'server',
    hint: 'give an address such as https://rampart.example.com to --server, or set RAMPART_SERVER',
    credentials: 'RAMPART_SERVER_TOKEN',
  });
}

/** The address of a repository on a forge, under the same rules. */
export function parseForgeUrl(text: string): Result<URL> {
  return parse(text, {
    owner: 'forge',
    hint: 'set RAMPART_FORGE_REPOSITORY to an address such as https://github.com/acme/fleet',
    credentials: 'RAMPART_FORGE_TOKEN',
  });
}

/** The address of an asset register, which a variable names, under the same rules. */
export function parseRegisterUrl(text: string, variable: string): Result<URL> {
  return parse(text, {
    owner: 'register',
    hint: `set ${variable} to an address such as https://register.example.com`,
    credentials: variable.replace(/_URL$/, '_HEADER'),
  });
}

function parse(text: string, { owner, hint, credentials }: Addressee): Result<URL> {
  const url = URL.parse(text);
  if (url === null || url.hostname === '') {
    return failed(problem('configuration', `the ${owner}'s address is not a URL`, { hint }));
  }
  if (url.username !== '' || url.password !== '') {
    return failed(
      problem('insecure-url', `the ${owner}'s address contains credentials`, {
        hint: `remove them from the URL, and set ${credentials}`,
      }),
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return failed(
      problem(
        'insecure-url',
        `${url.protocol}//${url.host} is refused: it would send the credentials unencrypted`,
        {
          hint: 'use https; plain http is allowed only for this machine (127.0.0.1, [::1], localhost)',
        },
      ),
    );
  }
  if (url.search !== '' || url.hash !== '') {
    return failed(problem('configuration', `the ${owner}'s address has a query or a fragment`, { hint }));
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return ok(url);
}
