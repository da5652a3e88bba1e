import { type CommandOwner, commandOwner, readCommand } from '../../../accounts/approvals/read-command.ts';
import type { Clock, Environment } from '../../../core/lib/surroundings.ts';
import { messageAndHint, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { CommentAnswer } from '../../../forge/answer-comment.ts';
import type { ForgeKind } from '../../../forge/forge.ts';
import {
  concernsRef,
  deliveryIds,
  isGenuine,
  isRepositoryOf,
  readHookEvent,
} from '../../../forge/webhook.ts';
import {
  type CommentedDecision,
  type Decided,
  noReviewer,
  reviewerOf,
} from '../../approvals/routes/commented-decision.ts';
import { changePath } from '../../plans/rules/change-path.ts';
import { readSecret } from '../../settings/read-secret.ts';
import type { GitSource, ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';

export interface HookParts {
  readonly settings: Pick<ServerSettings, 'sources' | 'folder' | 'reviewers'>;
  readonly store: Pick<Store, 'tickets'>;
  readonly env: Environment;
  readonly hide: (secrets: readonly string[]) => void;
  readonly clock: Clock;
  /** Queues a fetch of a source. Fetches that wait already are not queued again. */
  readonly fetch: (source: string) => Promise<void>;
  readonly decide: (decision: CommentedDecision) => Promise<Result<Decided>>;
  /** Queues the reply to a comment, if the source has a forge to write to. */
  readonly answer: (source: string, answer: CommentAnswer) => Promise<void>;
}

export interface HookRequest {
  readonly forge: ForgeKind;
  readonly source: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface HookAnswer {
  readonly status: 200 | 202 | 400 | 401 | 403 | 404 | 409;
  readonly message: string;
}

/** How long delivery ids are remembered, in milliseconds. Forges offer to send deliveries again for a few days. */
const rememberedMs = 7 * 86_400_000;
/** A comment that is older than this decides nothing: its delivery may have been forgotten. The day is for clocks that differ. */
const longestMs = rememberedMs - 86_400_000;

/** Acts on one webhook. Nothing in it is believed before its secret is checked, and no delivery counts twice. */
export async function receiveHook(request: HookRequest, parts: HookParts): Promise<HookAnswer> {
  const { forge, headers, body } = request;
  const source = parts.settings.sources.find(({ name }) => name === request.source);
  const given = source?.kind === 'git' ? source.webhookSecret : undefined;
  if (source?.kind !== 'git' || given === undefined)
    return { status: 404, message: 'there is no such webhook' };
  const secret = readSecret(given, `the webhook secret of the source "${source.name}"`, {
    ...parts,
    folder: parts.settings.folder,
  });
  if (!secret.ok) return { status: 404, message: 'the secret of this webhook is not set up' };
  if (!isGenuine(forge, headers, body, secret.value)) {
    return { status: 401, message: 'the signature or token of the webhook is wrong' };
  }
  const event = readHookEvent(forge, headers, Buffer.from(body).toString('utf8'));
  if (event === undefined) return { status: 400, message: 'the body is not JSON of the announced event' };
  if (event.kind === 'other') return { status: 200, message: 'this event is not used' };
  if (event.repository !== undefined && !isRepositoryOf(source.git, event.repository))
    return { status: 200, message: 'the event is about another repository' };
  if (event.kind === 'comment' && event.at < parts.clock.now() - longestMs)
    return { status: 200, message: 'the comment is too old' };
  if (event.kind === 'push' && !concernsRef(event.ref, source.ref)) {
    return { status: 200, message: 'the push concerns another ref' };
  }
  if (!(await isFirst(request, source, parts))) {
    return { status: 409, message: 'this delivery was received before' };
  }
  if (event.kind === 'push') {
    await parts.fetch(source.name);
    return { status: 202, message: 'the source is fetched' };
  }
  const owner = commandOwner(event.text);
  const command = readCommand(event.text);
  if (owner === undefined || command === undefined)
    return { status: 200, message: 'the comment is not a command' };
  if (!answers(source, forge, owner))
    return { status: 200, message: 'this server does not handle this command' };
  // Anyone can comment on a public repository. A stranger gets no reply, which would replace the reply to a reviewer.
  if (reviewerOf(parts.settings, forge, event.author) === undefined)
    return { status: 403, message: words([noReviewer(event.author)]) };
  const decided = command.ok
    ? await parts.decide({ forge, source: source.name, command: command.value, ...event })
    : command;
  const message = decided.ok ? decided.value.message : words(decided.problems);
  if (source.forge?.kind === forge && event.pull !== null) {
    const { pull, author } = event;
    const path = decided.ok ? changePath(decided.value.plan) : undefined;
    await parts.answer(source.name, { pull, login: author.login, accepted: decided.ok, message, path });
  }
  return { status: decided.ok ? 202 : 403, message };
}

/** Each command gets one reply: the GitHub Action may watch the same repository. */
function answers({ commands }: GitSource, forge: ForgeKind, owner: CommandOwner): boolean {
  switch (owner) {
    case 'server':
      return commands !== 'none';
    case 'action':
      return commands === 'all' && forge !== 'github';
  }
}

async function isFirst(
  { forge, headers, body }: HookRequest,
  { name }: GitSource,
  { store, clock }: HookParts,
): Promise<boolean> {
  const until = new Date(clock.now() + rememberedMs);
  let isNew = true;
  for (const id of deliveryIds(forge, headers, body)) {
    isNew = (await store.tickets.useJti(`hook:${forge}:${name}`, id, until)) && isNew;
  }
  return isNew;
}

function words(problems: readonly Problem[]): string {
  const [first = problem('unforeseen', 'the decision was refused')] = problems;
  return messageAndHint(first);
}
