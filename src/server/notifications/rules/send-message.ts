import { type Problem, problem } from '../../../core/problem/problem.ts';
import { askedWait } from '../../../forge/forge-client.ts';
import { readSecret } from '../../settings/read-secret.ts';
import type { NotificationSettings, WebNotification } from '../../settings/server-settings.ts';
import type { ChannelMessage } from './message.ts';
import { paintMail } from './paint-mail.ts';
import { paintSlack } from './paint-slack.ts';
import { paintTeams } from './paint-teams.ts';
import { sendMail } from './send-mail.ts';
import type { SendParts } from './send-parts.ts';
import type { Sent } from './sent.ts';
import { type SignedBody, signWebhook } from './sign-webhook.ts';

/** Sends one message through one channel. Its secrets are read now, and no problem quotes them or the response. */
export async function sendMessage(
  channel: NotificationSettings,
  message: ChannelMessage,
  id: string,
  parts: SendParts,
): Promise<Sent> {
  return channel.kind === 'email'
    ? sendMail(channel, paintMail(message), id, parts)
    : sendWeb(channel, message, id, parts);
}

async function sendWeb(
  channel: WebNotification,
  message: ChannelMessage,
  id: string,
  parts: SendParts,
): Promise<Sent> {
  const { name } = channel;
  const url = readSecret(channel.url, `the address of the notification "${name}"`, parts);
  if (!url.ok) return url;
  const secret =
    channel.secret && readSecret(channel.secret, `the secret of the notification "${name}"`, parts);
  if (secret?.ok === false) return secret;
  const { body, headers } = painted(channel, message, { id, now: parts.now(), secret: secret?.value });
  const reply = await parts.http.send(url.value, {
    method: 'POST',
    headers: { 'User-Agent': 'Rampart', ...headers },
    body,
    ...(parts.signal === undefined ? {} : { signal: parts.signal }),
  });
  if (!reply.ok) return reply;
  const { status, headers: answered } = reply.value;
  if (status >= 200 && status < 300) return { ok: true, value: null };
  return {
    ok: false,
    problems: [refusal(name, status)],
    ...askedWait(Object.fromEntries(answered), parts.now()),
  };
}

function painted(
  { kind, name }: WebNotification,
  message: ChannelMessage,
  { id, now, secret }: { readonly id: string; readonly now: number; readonly secret: string | undefined },
): SignedBody {
  const headers = { 'Content-Type': 'application/json' };
  switch (kind) {
    case 'slack':
      return { body: paintSlack(message), headers };
    case 'teams':
      return { body: paintTeams(message), headers };
    case 'webhook':
      return signWebhook(message, { id, channel: name, now }, secret);
  }
}

function refusal(name: string, status: number): Problem {
  const answer = `the receiver of the notification "${name}" answers ${status}`;
  if (status < 400)
    return problem('redirected', `${answer}, which is a redirect and is not followed`, {
      hint: 'write the address that the receiver has now',
    });
  if (status === 401 || status === 403 || status === 404 || status === 410)
    return problem('not-authenticated', answer, { hint: 'check the address of the webhook and its secret' });
  if (status === 429) return problem('rate-limited', answer, { hint: 'collect messages with "digest"' });
  return problem(status >= 500 ? 'server-error' : 'bad-request', answer, {
    hint: 'look at the log of the receiver',
  });
}
