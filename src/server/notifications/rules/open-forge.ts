import { ok, problem } from '../../../core/problem/problem.ts';
import type { ProblemCode } from '../../../core/problem/problem-code.ts';
import type { CodeForge, ForgeKind, PullForge, PullForgeKind } from '../../../forge/forge.ts';
import type { ForgePlace, ForgeTransport, ForgeWords } from '../../../forge/forge-client.ts';
import { createGithub } from '../../../forge/github.ts';
import { createGitlab } from '../../../forge/gitlab.ts';
import { createPullForge } from '../../../forge/propose-pull.ts';
import type { GuardedHttp } from '../../../service/client/guarded-fetch.ts';
import type { ForgeSettings } from '../../settings/server-settings.ts';

export interface ForgeParts<Kind extends PullForgeKind = PullForgeKind> {
  /** The name of the source. */
  readonly source: string;
  readonly forge: ForgeSettings & { readonly kind: Kind };
  readonly token: string;
  readonly http: Pick<GuardedHttp, 'send'>;
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

type Open<F> = (place: ForgePlace, transport: ForgeTransport) => F;

const reporting: Readonly<Record<ForgeKind, Open<CodeForge>>> = {
  github: createGithub,
  gitlab: createGitlab,
};

/** The forge of a source that receives reports. Each request is sent once: the queue of messages decides when to send again. */
export function openForge(parts: ForgeParts<ForgeKind>): CodeForge {
  return openAs(reporting[parts.forge.kind], parts);
}

/** The forge of a source that receives pull requests. Each request is sent once. */
export function openPullForge(parts: ForgeParts): PullForge {
  return openAs(createPullForge[parts.forge.kind], parts);
}

function openAs<F>(open: Open<F>, { source, forge, token, http, now, signal }: ForgeParts): F {
  const { api, repository: project } = forge;
  const { origin } = new URL(api);
  return open(
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

const checkToken =
  'check that the forge token may write branches, pull requests, commit statuses and comments of the repository';
const hints: { readonly [Code in ProblemCode]?: string } = {
  'rate-limited': 'Rampart waits as long as the forge asks',
  redirected: 'write the address that the repository or its API has now',
  'not-authenticated': checkToken,
  forbidden: checkToken,
  'not-found': checkToken,
};
