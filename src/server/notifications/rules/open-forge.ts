import { problem } from '../../../core/problem/problem.ts';
import type { ProblemCode } from '../../../core/problem/problem-code.ts';
import { ok } from '../../../core/problem/result.ts';
import type { CodeForge, ForgeKind } from '../../../forge/forge.ts';
import type { ForgePlace, ForgeTransport, ForgeWords } from '../../../forge/forge-client.ts';
import { createGithub } from '../../../forge/github.ts';
import { createGitlab } from '../../../forge/gitlab.ts';
import type { GuardedHttp } from '../../../service/client/guarded-fetch.ts';
import type { ForgeSettings } from '../../settings/server-settings.ts';

export interface ForgeParts {
  /** The name of the source. */
  readonly source: string;
  readonly forge: ForgeSettings;
  readonly token: string;
  readonly http: Pick<GuardedHttp, 'send'>;
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

const openers: Readonly<Record<ForgeKind, (place: ForgePlace, transport: ForgeTransport) => CodeForge>> = {
  github: createGithub,
  gitlab: createGitlab,
};

/** The forge of a source. Each request is sent once: the queue of messages decides when to send again. */
export function openForge({ source, forge, token, http, now, signal }: ForgeParts): CodeForge {
  const { kind, api, repository: project } = forge;
  const { origin } = new URL(api);
  return openers[kind](
    { api, project, token },
    {
      async send({ method, path, headers, body }) {
        const reply = await http.send(`${origin}${path}`, { method, headers, body, signal });
        if (!reply.ok) return reply;
        const { status, headers: answered, body: bytes } = reply.value;
        return ok({ status, headers: Object.fromEntries(answered), body: bytes });
      },
      clock: { now, sleep: async () => {} },
      waits: false,
      words: wordsFor(source),
    },
  );
}

/** They are stored and shown to everyone who may see messages, so they never quote the forge. */
function wordsFor(source: string): ForgeWords {
  return {
    refused(_failure, { status }, code) {
      const answer = `the forge of the source "${source}" answers ${status}`;
      const isRedirect = code === 'redirected';
      const message = isRedirect ? `${answer}, which is a redirect and is not followed` : answer;
      return problem(code, message, { hint: hints[code] ?? 'look at the log of the forge' });
    },
    malformed: () =>
      problem(
        'malformed-response',
        `the forge of the source "${source}" did not answer with the JSON of its API`,
        { hint: 'check "forgeApi" of the source' },
      ),
  };
}

const checkToken = 'check that the forge token may write commit statuses and comments of the repository';
const hints: { readonly [Code in ProblemCode]?: string } = {
  'rate-limited': 'Rampart waits as long as the forge asks',
  redirected: 'write the address that the repository or its API has now',
  'not-authenticated': checkToken,
  forbidden: checkToken,
  'not-found': checkToken,
};
