import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { composeMessage } from '../../../src/server/notifications/rules/message.ts';
import type { Notice } from '../../../src/server/notifications/rules/notice.ts';
import { paintMail } from '../../../src/server/notifications/rules/paint-mail.ts';
import { paintSlack } from '../../../src/server/notifications/rules/paint-slack.ts';
import { paintTeams } from '../../../src/server/notifications/rules/paint-teams.ts';
import { routeNotices } from '../../../src/server/notifications/rules/route-notices.ts';
import { signWebhook } from '../../../src/server/notifications/rules/sign-webhook.ts';
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

  it('include the channels that receive the kind', () => {
    expect(
      routed(
        [drift('berlin', 1)],
        channelOf('a', { kinds: ['drifted'] }),
        channelOf('b', { kinds: ['failed'] }),
      ),
    ).toEqual([['a', 'berlin']]);
  });
  it('include the channels that select the account', () => {
    const eu = channelOf('eu', { where: 'region == "eu"' });
    expect(routed([drift('berlin', 1), drift('austin', 1)], eu, channelOf('all'))).toEqual([
      ['eu', 'berlin'],
      ['all', 'berlin'],
      ['all', 'austin'],
    ]);
  });
  it('exclude a channel with a selector if they concern no account, or one that is not configured', () => {
    const eu = channelOf('eu', { where: 'region == "eu"' });
    expect(routed([source, drift('gone', 1)], eu)).toEqual([]);
    expect(routed([source], channelOf('all'))).toEqual([['all', null]]);
  });
  it('exclude a channel with a faulty selector', () => {
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
  it('takes the title of its only section, and lists the worst first', () => {
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
  });
  it('has at most the 50 blocks that Slack accepts, even with a link in each section', () => {
    const many = Array.from({ length: 60 }, (_, at) => drift('berlin', 1, `topic ${at}`));
    const { blocks } = JSON.parse(paintSlack(composeMessage(many, 'https://rampart.example.com'))) as {
      blocks: unknown[];
    };
    expect(blocks).toHaveLength(43);
  });
  it('puts the worst first, and keeps the order of equal kinds', () => {
    const kinds = [
      'in_doubt',
      'failed',
      'failing',
      'source',
      'rollout',
      'waiting',
      'expiring',
      'drifted',
      'applied',
      'recovered',
    ] as const;
    const records = kinds.toReversed().map((kind) => ({ ...drift('berlin', 1, kind), kind }));
    expect(composeMessage(records, undefined).sections.map(({ kind }) => kind)).toEqual(kinds);
    const same = [drift('a', 1, 'first'), drift('b', 1, 'second')];
    expect(composeMessage(same, undefined).sections.map(({ heading }) => heading)).toEqual([
      'Hosts differ: rule "kiosks" (a)',
      'Hosts differ: rule "kiosks" (b)',
    ]);
    const topics = [drift('a', 1, 'x'), { ...drift('b', 1, 'x'), kind: 'waiting' as const }];
    expect(composeMessage(topics, undefined).sections).toHaveLength(2);
  });
  it('names at most ten accounts, and the hosts only if there are some', () => {
    const linesFor = (count: number, hosts: number) =>
      composeMessage(
        Array.from({ length: count }, (_, at) => drift(`a${at}`, hosts)),
        'https://rampart.example.com',
      ).sections[0];
    expect(linesFor(1, 5)).toMatchObject({
      heading: 'Hosts differ: rule "kiosks" (a0)',
      lines: ['in policies.yaml:12'],
      link: 'https://rampart.example.com/accounts/a0',
    });
    expect(linesFor(2, 0)).toMatchObject({
      heading: 'Hosts differ: rule "kiosks" (2 accounts)',
      lines: ['Accounts: a0, a1'],
      link: null,
    });
    expect(linesFor(10, 1)?.lines).toEqual([
      'Accounts: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9',
      '10 hosts or changes in all',
    ]);
    expect(linesFor(11, 0)?.lines).toEqual(['Accounts: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, …']);
    const one = composeMessage([drift('a', 1), { ...drift('b', 0), facts: { title: 'x' } }], undefined);
    expect(one.sections[0]?.lines[1]).toBe('1 host or change in all');
  });
  it('has no account for a source, and no link without an address of the server', () => {
    const source = {
      kind: 'source' as const,
      account: null,
      topic: 's',
      facts: { title: 'gone', path: '/settings' },
    };
    expect(composeMessage([source], undefined)).toEqual({
      title: 'Rampart: gone',
      sections: [{ kind: 'source', heading: 'gone', lines: [], link: null }],
      more: 0,
      link: null,
    });
    expect(composeMessage([source, drift('berlin', 1)], undefined).title).toBe(
      'Rampart: 2 notices about 1 account',
    );
    expect(composeMessage([source], 'https://r.example.com').sections[0]?.link).toBe(
      'https://r.example.com/settings',
    );
  });
  it('shortens texts to 300 characters, without splitting a character', () => {
    const headingOf = (title: string) =>
      composeMessage([{ ...drift('berlin', 1), account: null, facts: { title } }], undefined).sections[0]
        ?.heading ?? '';
    expect(headingOf('x'.repeat(300))).toBe('x'.repeat(300));
    expect(headingOf('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
    // Two halves of a character: the last of the second ones, and the first.
    for (const character of ['😀', '\u{103ff}', '\u{10000}'])
      expect(headingOf(`${'x'.repeat(298)}${character}y`)).toBe(`${'x'.repeat(298)}…`);
    expect(headingOf(`${'x'.repeat(299)}😀`)).toBe(`${'x'.repeat(299)}…`);
    expect(headingOf(`${'x'.repeat(299)}\ue000y`)).toBe(`${'x'.repeat(299)}…`);
  });
  it('shows notices of another version, and links only to its own server', () => {
    const odd = { ...drift('berlin', 1), facts: { words: 1 } };
    expect(composeMessage([odd], undefined).sections[0]?.heading).toBe(
      'A notice of another version of Rampart (berlin)',
    );
    const long = `/${'a'.repeat(1_000)}`;
    for (const path of ['//evil.example', 'https://evil.example', '/a b', '/x|y>', '/a?b=c', long]) {
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
  it('are text runs in Teams, which are not Markdown', () => {
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
  it('fit the title of Slack, which takes 150 characters and no emoji codes', () => {
    const titled = (title: string) => {
      const body = JSON.parse(paintSlack({ ...message, title })) as {
        unfurl_links: boolean;
        unfurl_media: boolean;
        blocks: { text?: { text: string; emoji: boolean } }[];
      };
      expect([body.unfurl_links, body.unfurl_media]).toEqual([false, false]);
      for (const { text } of body.blocks) expect(text?.emoji ?? false).toBe(false);
      return body.blocks[0]?.text?.text;
    };
    expect(titled('x'.repeat(150))).toBe('x'.repeat(150));
    expect(titled('x'.repeat(151))).toBe(`${'x'.repeat(149)}…`);
  });
  it('have the words, links and separators of each section in each format', () => {
    const sections = [
      { kind: 'drifted' as const, heading: 'one', lines: ['a', 'b'], link: 'https://r.example.com/1' },
      { kind: 'source' as const, heading: 'two', lines: [], link: null },
    ];
    const whole = { title: 'title', sections, more: 0, link: 'https://r.example.com' };
    expect(paintMail(whole)).toEqual({
      subject: 'title',
      text: 'one\n  a\n  b\n  https://r.example.com/1\n\ntwo\n\nConsole: https://r.example.com\n',
    });
    expect(paintMail({ ...whole, sections: [], link: null }).text).toBe('\n');
    const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
    const link = (text: string) => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] });
    expect(JSON.parse(paintSlack(whole))).toMatchObject({
      text: 'title',
      blocks: [
        { type: 'header', text: plain('title') },
        { type: 'section', text: plain('one\na\nb') },
        link('<https://r.example.com/1|Open in Rampart>'),
        { type: 'section', text: plain('two') },
        link('<https://r.example.com|Console>'),
      ],
    });
    const words = (text: string) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] });
    const open = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });
    expect(JSON.parse(paintTeams(whole))).toMatchObject({
      attachments: [
        {
          content: {
            body: [
              words('title'),
              { ...words('one'), separator: true },
              words('a'),
              words('b'),
              { type: 'ActionSet', actions: [open('Open in Rampart', 'https://r.example.com/1')] },
              { ...words('two'), separator: true },
            ],
            actions: [open('Console', 'https://r.example.com')],
          },
        },
      ],
    });
  });
  it('have no button in Teams without a link', () => {
    const section = { kind: 'source' as const, heading: 'gone', lines: [], link: null };
    expect(paintTeams({ title: 'x', sections: [section], more: 0, link: null })).not.toContain('Action');
  });
  it('stay below the size that Teams refuses, however long the names are, and count what is left out', () => {
    const wide = '\u540d'.repeat(300);
    const section = { kind: 'source' as const, heading: wide, lines: Array(5).fill(wide), link: null };
    const sections = Array(20).fill(section);
    const card = paintTeams({ title: wide, sections, more: 3, link: null });
    for (const encoding of ['utf8', 'utf16le'] as const)
      expect(Buffer.byteLength(card, encoding)).toBeLessThan(28_000);
    const shown = card.split('"separator":true').length - 1;
    expect(shown).toBeGreaterThan(1);
    expect(card).toContain(`… and ${23 - shown} more`);
  });
  it('never split a character at the end of a Slack title', () => {
    for (const shift of ['', 'x'])
      expect(
        JSON.parse(paintSlack({ ...message, title: shift + '\u{1F4A3}'.repeat(140) })).blocks[0].text.text,
      ).toSatisfy((text: string) => text.isWellFormed());
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
