import { createHmac } from 'node:crypto';
import { commitId } from '../../../core/lib/hex-ids.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import { paintAnswer, readCommentAnswer } from '../../../forge/answer-comment.ts';
import type { CodeForge, ForgeKind } from '../../../forge/forge.ts';
import { isRefusedAs } from '../../../forge/forge-client.ts';
import { forgeChannel } from '../../plans/records/commit-plans.ts';
import { readSecret } from '../../settings/read-secret.ts';
import {
  isReported,
  type ReportedSource,
  type ServerSettings,
  type SourceSettings,
} from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import type { NotificationRecord } from '../records/notifications.ts';
import { commitStatus } from './commit-status.ts';
import { mergedPullPage } from './merged-pull.ts';
import { type ForgeParts, openForge } from './open-forge.ts';
import type { SendParts } from './send-parts.ts';
import { retryAfter, type Sent } from './sent.ts';

export interface ForgeDelivery extends SendParts {
  readonly settings: Pick<ServerSettings, 'sources' | 'url'>;
  readonly store: {
    readonly notifications: Pick<Store['notifications'], 'claim' | 'sent' | 'failed' | 'lastSent'>;
    readonly plans: Pick<Store['plans'], 'ofCommit' | 'setPullRequest'>;
  };
}

/** The most messages that one worker claims: each is its own request, and a claim lasts some minutes. */
const atOnce = 8;

/**
 * Reports due plans and replies to comments to the forge of a source. If the forge refuses one message, such as a
 * status of a commit that it does not have, the others are sent. After any other failure the rest waits too, because it
 * is for the same forge. True if there may be more. Rejects only if the database fails.
 */
export async function deliverToForge(channel: string, parts: ForgeDelivery): Promise<boolean> {
  const { store, settings } = parts;
  const { notifications } = store;
  const records = await notifications.claim(channel, atOnce);
  if (records.length === 0) return false;
  const source = forgeSource(settings.sources, channel);
  if (source === undefined) {
    const ids = records.map(({ id }) => id);
    await notifications.failed(ids, 'the source no longer reports to a forge', null);
    return true;
  }
  const { name, forge } = source;
  const token = readSecret(forge.token, `the forge token of the source "${name}"`, parts);
  let refused = 0;
  for (const [at, record] of records.entries()) {
    const sent: Sent<Facts> = token.ok
      ? await report(record, { ...parts, source: name, forge, token: token.value })
      : token;
    if (sent.ok) {
      await notifications.sent([record.id], sent.value);
      continue;
    }
    if (parts.signal?.aborted === true) return false;
    const isRefused = refusals.has(sent.problems[0]?.code);
    const left = isRefused ? [record] : records.slice(at);
    const attempts = Math.min(...left.map((each) => each.attempts));
    const message = sent.problems[0]?.message ?? 'unknown';
    const retryMs = retryAfter(attempts, sent.askedMs);
    await notifications.failed(
      left.map(({ id }) => id),
      message,
      retryMs,
    );
    parts.onFailure?.(message, retryMs);
    if (!isRefused) return false;
    refused += 1;
  }
  // A token without the permission gets all of them refused.
  return records.length === atOnce && refused < atOnce;
}

/** Codes of responses that may concern only the commit or the pull request of a message. */
const refusals: ReadonlySet<string | undefined> = new Set([
  'bad-request',
  'forbidden',
  'not-found',
  'too-large',
]);

/** The source whose forge has this channel. */
export function forgeSource(sources: readonly SourceSettings[], channel: string): ReportedSource | undefined {
  return sources.filter(isReported).find(({ name }) => forgeChannel(name) === channel);
}

/** Reads the repository with the forge token, and writes nothing. The value is the host that responded. */
export async function testForge(
  channel: string,
  parts: Omit<ForgeDelivery, 'store'>,
): Promise<Result<string> | undefined> {
  const source = forgeSource(parts.settings.sources, channel);
  if (source === undefined) return undefined;
  const { name, forge } = source;
  const token = readSecret(forge.token, `the forge token of the source "${name}"`, parts);
  if (!token.ok) return token;
  const read = await openForge({ ...parts, source: name, forge, token: token.value }).readRepository();
  const { host } = new URL(forge.api);
  return read.ok ? ok(`${host} answered for the repository ${forge.repository}`) : failed(...read.problems);
}

type Facts = Readonly<Record<string, unknown>>;

type Reporting = ForgeDelivery & Pick<ForgeParts<ForgeKind>, 'source' | 'forge' | 'token'>;

async function report(record: NotificationRecord, parts: Reporting): Promise<Sent<Facts>> {
  const api = openForge(parts);
  return record.kind === 'status' ? reportCommit(record, api, parts) : answerComment(record, api, parts);
}

/** The state is the current one, so a message that waited never reports an older one. */
async function reportCommit(
  record: NotificationRecord,
  api: CodeForge,
  parts: Reporting,
): Promise<Sent<Facts>> {
  const { topic: commit } = record;
  const { store, settings, source } = parts;
  if (!commitId.test(commit)) return nothing;
  const status = commitStatus(await store.plans.ofCommit(source, commit));
  if (status === undefined) return nothing;
  const { url } = settings;
  const { state, description, path } = status;
  const link = url === undefined ? null : `${url}${path}`;
  const sent = await api.setStatus(commit, { name: `rampart/${source}`, state, description, link });
  return sent.ok ? { ok: true, value: await notePull(record, api, parts) } : sent;
}

/**
 * Stores the pull request of a commit with the plans of the commit. The forge is asked once for each commit: the facts
 * of the report keep its response. If it fails, the status is kept, and the next report asks again.
 */
async function notePull(
  { channel, kind, topic: commit }: NotificationRecord,
  api: CodeForge,
  { store, source, forge }: Reporting,
): Promise<Facts> {
  let pullRequest = pullRequestOf(await store.notifications.lastSent(channel, kind, commit));
  if (pullRequest === undefined) {
    const pulls = await api.mergedPulls(commit);
    if (!pulls.ok) return {};
    pullRequest = mergedPullPage(pulls.value, forge);
  }
  if (pullRequest !== null) await store.plans.setPullRequest(source, commit, pullRequest);
  return { pullRequest };
}

/** Undefined if no report of the commit has a response of the forge. */
function pullRequestOf(facts: unknown): string | null | undefined {
  return (facts as { readonly pullRequest?: string | null } | undefined)?.pullRequest;
}

const nothing: Sent<Facts> = { ok: true, value: {} };

/** Replaces the reply to an earlier command on the same pull request; without one, adds a reply. */
async function answerComment(
  { id, channel, kind, topic, facts, attempts, createdAt }: NotificationRecord,
  api: CodeForge,
  { store, settings, source, token }: Reporting,
): Promise<Sent<Facts>> {
  const answer = readCommentAnswer(facts);
  if (answer === undefined) return nothing;
  const { pull } = answer;
  // Nobody else can write a comment that begins like this before it is published.
  const mark = `<!-- rampart ${createHmac('sha256', token).update(`${channel} ${id}`).digest('hex').slice(0, 32)} -->`;
  const text = paintAnswer(answer, { source, mark, serverUrl: settings.url });
  const comments = api.commentsOn(pull);
  const earlier = commentOf(await store.notifications.lastSent(channel, kind, topic));
  if (earlier !== undefined) {
    const changed = await comments.update(String(earlier), text);
    if (changed.ok) return { ok: true, value: { comment: earlier } };
    if (!isRefusedAs(changed, 'not-found')) return changed;
  }
  if (attempts > 1) {
    // The response to an earlier attempt may have been lost.
    const listed = await comments.list(createdAt);
    if (!listed.ok) return listed;
    const found = listed.value.find(({ body }) => body.startsWith(mark));
    if (found !== undefined) return { ok: true, value: { comment: Number(found.id) } };
  }
  const added = await comments.create(text);
  return added.ok ? { ok: true, value: { comment: Number(added.value) } } : added;
}

function commentOf(facts: unknown): number | undefined {
  const id = (facts as { readonly comment?: unknown } | undefined)?.comment;
  return typeof id === 'number' ? id : undefined;
}
