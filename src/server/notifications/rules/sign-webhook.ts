import { createHmac } from 'node:crypto';
import type { ChannelMessage } from './message.ts';

const webhookFormatVersion = '1.0';

export interface SignedBody {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookDelivery {
  /** The same for each attempt that sends the same notices. */
  readonly id: string;
  readonly channel: string;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * The body of a generic webhook and its headers. The signature covers the timestamp and the exact bytes of the body, so
 * a receiver can refuse old and changed messages.
 */
export function signWebhook(
  { title, sections, more, link }: ChannelMessage,
  { id, channel, now }: WebhookDelivery,
  secret: string | undefined,
): SignedBody {
  const stamp = String(Math.floor(now / 1000));
  const body = JSON.stringify({
    format_version: webhookFormatVersion,
    id,
    channel,
    sent_at: new Date(now).toISOString(),
    title,
    notices: sections,
    left_out: more,
    console: link,
  });
  const signature =
    secret === undefined
      ? {}
      : {
          'X-Rampart-Signature': `sha256=${createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex')}`,
        };
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Rampart-Delivery': id,
      'X-Rampart-Timestamp': stamp,
      ...signature,
    },
  };
}
