import { createHash } from 'node:crypto';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { NotificationSettings, ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import type { NotificationRecord } from '../records/notifications.ts';
import { composeMessage } from './message.ts';
import { sendMessage } from './send-message.ts';
import type { SendParts } from './send-parts.ts';
import { retryAfter } from './sent.ts';

export interface DeliverParts extends SendParts {
  readonly settings: Pick<ServerSettings, 'notifications' | 'url'>;
  readonly store: { readonly notifications: Pick<Store['notifications'], 'claim' | 'sent' | 'failed'> };
}

/** The most notices of one message. More wait for the next one. */
const atOnce = 500;

/** Sends what is due for one channel as one message. True if there may be more. Rejects only if the database fails. */
export async function deliver(channelName: string, parts: DeliverParts): Promise<boolean> {
  const { settings, store } = parts;
  const records = await store.notifications.claim(channelName, atOnce);
  if (records.length === 0) return false;
  const ids = records.map(({ id }) => id);
  const channel = settings.notifications.find(({ name }) => name === channelName);
  if (channel === undefined) {
    await store.notifications.failed(ids, 'the notification is no longer configured', null);
    return true;
  }
  const sent = await sendMessage(channel, composeMessage(records, settings.url), idOf(records), parts);
  if (sent.ok) await store.notifications.sent(ids);
  else if (parts.signal?.aborted !== true) {
    const attempts = Math.min(...records.map((each) => each.attempts));
    const message = sent.problems[0]?.message ?? 'unknown';
    const retryMs = retryAfter(attempts, sent.askedMs);
    await store.notifications.failed(ids, message, retryMs);
    parts.onFailure?.(message, retryMs);
  }
  return records.length === atOnce;
}

/** Sends a test message now. The value is its receiver. */
export async function sendTest(name: string, parts: DeliverParts): Promise<Result<string>> {
  const channel = parts.settings.notifications.find((each) => each.name === name);
  if (channel === undefined)
    return failed(
      problem('configuration', `there is no notification "${name}"`, {
        hint: 'the notifications are listed under "notifications" of "server"',
      }),
    );
  const facts = {
    title: 'This is a test message',
    lines: [`It was sent through the notification "${name}".`],
  };
  const record = { kind: 'recovered', account: null, topic: 'test', facts };
  const id = idOf([{ id: `test ${name} ${parts.now()}` }]);
  const partly: string[] = [];
  const onFailure = (message: string) => void partly.push(message);
  const message = composeMessage([record], parts.settings.url);
  const sent = await sendMessage(channel, message, id, { ...parts, onFailure });
  if (!sent.ok) return sent;
  const [refusal] = partly;
  return refusal === undefined
    ? ok(receiverOf(channel))
    : failed(problem('bad-request', refusal, { hint: 'check the recipients' }));
}

function receiverOf(channel: NotificationSettings): string {
  return channel.kind === 'email'
    ? `the mail server ${channel.smtp.host} accepted the message for ${channel.to.join(', ')}`
    : `the webhook of "${channel.name}" accepted the message`;
}

/** The same for each attempt without newer notices, so that a receiver can drop a message that it has. */
function idOf(records: readonly Pick<NotificationRecord, 'id'>[]): string {
  const hash = createHash('sha256');
  for (const { id } of records) hash.update(`${id}\n`);
  return hash.digest('hex').slice(0, 32);
}
