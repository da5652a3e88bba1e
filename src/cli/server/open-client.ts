import { readAccessToken } from '../../accounts/config/read-token.ts';
import { createClient, type RampartClient } from '../../api/client/generated/rampart-client.ts';
import type { ServerAnswer } from '../../api/client/send.ts';
import { isLoopback } from '../../core/lib/loopback.ts';
import { printable } from '../../core/lib/printable.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { type ProblemCode, problemCodes } from '../../core/problem/problem-code.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { parseServerUrl } from '../../service/client/base-url.ts';
import { allowedOriginsVariable, pinnedOrigins } from '../../service/client/pinned-origins.ts';
import { proxiedFetch } from '../../service/client/proxied-fetch.ts';
import { proxiesFor } from '../../service/client/proxy.ts';
import { printResult } from '../listing/print-listing.ts';
import type { Context } from '../shell/context.ts';

const serverVariable = 'RAMPART_SERVER';
const tokenVariable = 'RAMPART_SERVER_TOKEN';

/** The flags of commands that ask a server. */
export interface ServerFlag {
  /** The address; true: that of RAMPART_SERVER. */
  readonly server?: string | true;
}

/** A client of the server that the flag or the environment names. The token comes from the environment or a file only. */
export function openClient(
  { io, redaction, settings, report }: Context,
  { server }: ServerFlag,
): Result<RampartClient> {
  const { env } = io;
  const address = typeof server === 'string' ? server : env[serverVariable];
  if (address === undefined || address === '') return failed(noServer);
  const url = parseServerUrl(address);
  if (!url.ok) return url;
  const pinned = checkPinned(url.value, env);
  if (!pinned.ok) return pinned;
  const token = readAccessToken(tokenVariable, { env, folder: io.cwd });
  if (!token.ok) return token;
  if (token.value === undefined) return failed(noToken);
  redaction.hide([token.value]);
  if (!/^[\x21-\x7e]+$/.test(token.value)) return failed(badToken);
  report(token.problems);
  const proxies = proxiesFor(url.value, env);
  if (!proxies.ok) return proxies;
  const { requestTimeoutMs } = settings;
  return ok(
    createClient({
      url: url.value.href,
      token: token.value,
      headers: { 'x-rampart-client': 'cli' },
      ...(proxies.value === null ? {} : { fetch: proxiedFetch(proxies.value) }),
      ...(requestTimeoutMs === undefined ? {} : { timeoutMs: requestTimeoutMs }),
    }),
  );
}

/**
 * Sends a request to the server of the flag or the environment, and prints the response: as JSON, or as the text of a
 * value.
 */
export async function askServer<Value>(
  context: Context,
  flags: ServerFlag,
  ask: (client: RampartClient) => Promise<ServerAnswer<Value> | Result<Value>>,
  textOf: (value: Value) => string,
): Promise<ExitCode> {
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const answer = await ask(client.value);
  const result = 'problems' in answer ? answer : resultOfAnswer(answer);
  if (!result.ok) return context.fail(result.problems);
  return printResult(context, result.value, () => textOf(result.value));
}

/**
 * The token is sent only to an address that the operator of this machine chose: files of a checkout and arguments are
 * not enough.
 */
function checkPinned(url: URL, env: Environment): Result<null> {
  const pinned = pinnedOrigins(env);
  if (!pinned.ok) return pinned;
  const own = URL.parse(env[serverVariable] ?? '')?.origin;
  if (url.origin === own || pinned.value.has(url.origin) || isLoopback(url.hostname)) return ok(null);
  return failed(
    problem('unpinned-origin', `the token is not sent to ${url.origin}: the environment does not name it`, {
      hint: `set ${serverVariable}=${url.origin}, or add the origin to ${allowedOriginsVariable}`,
    }),
  );
}

const known: ReadonlySet<string> = new Set(Object.values(problemCodes).flat());

/** The response of a server as a result: its problems have the codes of the command line, and so its exit codes. */
export function resultOfAnswer<Value>(answer: ServerAnswer<Value>): Result<Value> {
  if (answer.ok) return ok(answer.value);
  const { code, detail, title, hint, problems = [] } = answer.problem;
  const first = { code, message: detail ?? title, ...(hint === undefined ? {} : { hint }) };
  return failed(...(problems.length > 0 ? problems : [first]).map(toProblem));
}

/** A problem of a server, as one of the command line. Its text can come from anybody. */
export function toProblem({
  code,
  message,
  hint,
}: {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}): Problem {
  const own = known.has(code) ? (code as ProblemCode) : 'unexpected-status';
  // The server's own hints are for people who write requests.
  if (own === 'not-authenticated') return problem(own, printable(message), { hint: newToken });
  if (own === 'forbidden') return problem(own, printable(message), { hint: otherRole });
  const way = hint ?? (own === 'not-found' ? lists : undefined);
  return problem(own, printable(message), way === undefined ? {} : { hint: printable(way) });
}

const noServer = problem('usage', 'the address of the server is missing', {
  hint: `give its address with --server, or set ${serverVariable}`,
});
const lists =
  'rampart server status lists the plans that wait, and rampart runs and rampart hosts list runs and hosts';
const newToken = `create one in the console, and set ${tokenVariable} or ${tokenVariable}_FILE`;
const otherRole =
  'the console lists roles and what they allow under Settings; use a token with another role, or ask an administrator';
const badToken = problem('configuration', 'the token of the server is not printable ASCII', {
  hint: 'copy it again from where it was created',
});
const noToken = problem('missing-credentials', 'the token of the server is missing', { hint: newToken });

/**
 * The first of these flags that the call has; they have no effect on a server. Without this error, the answer would seem
 * to follow the flag: `--state` would seem to filter, and `--out` to save a plan and change nothing.
 */
export function localFlag<Flags>(
  flags: Flags,
  local: readonly (keyof Flags & string)[],
): Problem | undefined {
  const given = local.find((name) => flags[name] !== undefined);
  if (given === undefined) return undefined;
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return problem('usage', `--${flag} has no effect on a server`, {
    hint: 'leave it out, or leave out --server',
  });
}
