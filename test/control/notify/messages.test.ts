import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { composeMessage } from '../../../src/control/notify/message.ts';
import type { Notice } from '../../../src/control/notify/notice.ts';
import { paintMail } from '../../../src/control/notify/paint-mail.ts';
import { paintSlack } from '../../../src/control/notify/paint-slack.ts';
import { paintTeams } from '../../../src/control/notify/paint-teams.ts';
import { routeNotices } from '../../../src/control/notify/route-notices.ts';
import { signWebhook } from '../../../src/control/notify/sign-webhook.ts';
import { channelOf } from './given.ts';

const drift = (account: string, hosts: number, topic = 'drifted k1') => ({
  kind: 'drifted' as const,
  account,
  topic,
  facts: {
    title: 'Hosts differ: rule "kiosks"',
    lines: ['in policies.yaml:12'],
    path: `/accounts/${account}`,
    hosts,
  },
});
const hostile =
  '<!channel> <@U1> [link](https://evil.example) *bold* \u202e\u001b[31m\r\nBcc: x@evil.example';

describe('the routes of notices', () => {
  const labels = new Set(['region']);
  const accounts = [
    { name: 'berlin', labels: { region: 'eu' }, configuredLabels: labels },
    { name: 'austin', labels: { region: 'us' }, configuredLabels: labels },
  ];
  const source: Notice = { kind: 'source', account: null, topic: 's', facts: { title: 'x' } };
  const routed = (notices: readonly Notice[], ...channels: readonly ReturnType<typeof channelOf>[]) =>
    routeNotices(notices, channels, accounts, 1_000_000).map(({ channel, account }) => [channel, account]);

  it('lead to the channels that want the kind', () => {
    expect(
      routed(
        [drift('berlin', 1)],
        channelOf('a', { kinds: ['drifted'] }),
        channelOf('b', { kinds: ['failed'] }),
      ),
    ).toEqual([['a', 'berlin']]);
  });
  it('lead to the channels that select the account', () => {
    const eu = channelOf('eu', { where: 'region == "eu"' });
    expect(routed([drift('berlin', 1), drift('austin', 1)], eu, channelOf('all'))).toEqual([
      ['eu', 'berlin'],
      ['all', 'berlin'],
      ['all', 'austin'],
    ]);
  });
  it('lead past a channel with a selector if they concern no account, or one that is not configured', () => {
    const eu = channelOf('eu', { where: 'region == "eu"' });
    expect(routed([source, drift('gone', 1)], eu)).toEqual([]);
    expect(routed([source], channelOf('all'))).toEqual([['all', null]]);
  });
  it('lead past a channel with a faulty selector', () => {
    expect(routed([drift('berlin', 1)], channelOf('x', { where: 'nonsense ==' }))).toEqual([]);
  });
  it('wait for the end of the slot of a digest', () => {
    const delayed = routeNotices(
      [source],
      [channelOf('a', { digestMs: 60_000 }), channelOf('b')],
      [],
      90_000,
    );
    expect(delayed.map(({ delayMs }) => delayMs)).toEqual([30_000, 0]);
  });
});

describe('the message of several notices', () => {
  it('has one section for each cause over all accounts, not one for each host', () => {
    const message = composeMessage(
      [drift('berlin', 12), drift('austin', 3), drift('oslo', 1, 'drifted k2')],
      'https://rampart.example.com',
    );
    expect(message).toEqual({
      title: 'Rampart: 2 notices about 3 accounts',
      sections: [
        {
          kind: 'drifted',
          heading: 'Hosts differ: rule "kiosks" (2 accounts)',
          lines: ['Accounts: berlin, austin', '15 hosts or changes in all'],
          link: null,
        },
        {
          kind: 'drifted',
          heading: 'Hosts differ: rule "kiosks" (oslo)',
          lines: ['in policies.yaml:12'],
          link: 'https://rampart.example.com/accounts/oslo',
        },
      ],
      more: 0,
      link: 'https://rampart.example.com',
    });
  });
  it('is titled by its only section, and lists the worst first', () => {
    expect(composeMessage([drift('berlin', 1)], undefined).title).toBe(
      'Rampart: Hosts differ: rule "kiosks" (berlin)',
    );
    const doubt = { ...drift('berlin', 0, 'd'), kind: 'in_doubt' };
    expect(composeMessage([drift('berlin', 1), doubt], undefined).sections.map(({ kind }) => kind)).toEqual([
      'in_doubt',
      'drifted',
    ]);
  });
  it('is bounded, however many notices there are and however long they are', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({
      ...drift(`account-${at}`, 1, `topic ${at % 30}`),
      facts: { title: 'x'.repeat(10_000), lines: Array.from({ length: 100 }, () => 'y'.repeat(10_000)) },
    }));
    const message = composeMessage(many, 'https://rampart.example.com');
    expect(message.sections).toHaveLength(20);
    expect(message.more).toBe(10);
    expect(JSON.stringify(message).length).toBeLessThan(30_000);
    expect((JSON.parse(paintSlack(message)) as { blocks: unknown[] }).blocks.length).toBeLessThanOrEqual(50);
  });
  it('shows notices of another version, and links to nothing but the own server', () => {
    const odd = { ...drift('berlin', 1), facts: { words: 1 } };
    expect(composeMessage([odd], undefined).sections[0]?.heading).toBe(
      'A notice of another version of Rampart (berlin)',
    );
    for (const path of ['//evil.example', 'https://evil.example', '/a b', '/x|y>', '/a?b=c']) {
      const record = { ...drift('berlin', 1), facts: { title: 'x', path } };
      expect(composeMessage([record], 'https://rampart.example.com').sections[0]?.link).toBeNull();
    }
  });
});

describe('texts of services in a message', () => {
  const message = composeMessage(
    [{ ...drift('berlin', 1), facts: { title: hostile, lines: [hostile], path: '/accounts/berlin' } }],
    'https://rampart.example.com',
  );
  it('have no control and direction characters', () => {
    expect(JSON.stringify(message)).not.toMatch(/\p{Cc}|\p{Cf}|\\r|\\n|\\u/u);
  });
  it('are plain text in Slack, without mentions and links', () => {
    const body = JSON.parse(paintSlack(message)) as {
      text: string;
      blocks: { text?: { type: string; text: string }; elements?: { type: string; text: string }[] }[];
    };
    expect(body.text).toContain('&lt;!channel&gt; &lt;@U1&gt;');
    const formatted = body.blocks.flatMap(({ text, elements = [] }) => [
      ...(text === undefined ? [] : [text]),
      ...elements,
    ]);
    expect(formatted.filter(({ type }) => type === 'mrkdwn').map(({ text }) => text)).toEqual([
      '<https://rampart.example.com/accounts/berlin|Open in Rampart>',
      '<https://rampart.example.com|Console>',
    ]);
    expect(formatted.filter(({ type }) => type === 'plain_text')).toHaveLength(2);
  });
  it('are text runs in Teams, which are no Markdown', () => {
    const card = paintTeams(message);
    const types = [...card.matchAll(/"type":"(\w[\w.]*)"/g)].map(([, type]) => type);
    expect(new Set(types)).toEqual(
      new Set(['message', 'AdaptiveCard', 'RichTextBlock', 'TextRun', 'ActionSet', 'Action.OpenUrl']),
    );
    expect([...card.matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url)).toEqual([
      'https://rampart.example.com/accounts/berlin',
      'https://rampart.example.com',
    ]);
  });
  it('add no header to a mail', () => {
    const { subject, text } = paintMail(message);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).not.toMatch(/^Bcc:/m);
    expect(text.split('\n').at(-2)).toBe('Console: https://rampart.example.com');
    expect(paintMail({ ...message, title: 'a\r\nBcc: x' }).subject).toBe('a  Bcc: x');
  });
  it('name what was left out in each format', () => {
    const more = { ...message, more: 7, link: null };
    for (const painted of [paintSlack(more), paintTeams(more), paintMail(more).text])
      expect(painted).toContain('… and 7 more');
  });
});

describe('the signature of a generic webhook', () => {
  const message = composeMessage([drift('berlin', 1)], undefined);
  const delivery = { id: 'd1', channel: 'ops', now: Date.parse('2026-11-23T10:00:00.500Z') };
  it('covers the time stamp and the exact body', () => {
    const { body, headers } = signWebhook(message, delivery, 'secret');
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'X-Rampart-Delivery': 'd1',
      'X-Rampart-Timestamp': '1795428000',
      'X-Rampart-Signature': `sha256=${createHmac('sha256', 'secret').update(`1795428000.${body}`).digest('hex')}`,
    });
    expect(JSON.parse(body)).toMatchObject({
      format_version: '1.0',
      id: 'd1',
      channel: 'ops',
      sent_at: '2026-11-23T10:00:00.500Z',
      notices: [{ kind: 'drifted' }],
      left_out: 0,
      console: null,
    });
  });
  it('is absent without a secret', () => {
    expect(signWebhook(message, delivery, undefined).headers).not.toHaveProperty('X-Rampart-Signature');
  });
});
