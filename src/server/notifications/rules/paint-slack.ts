import { cutText } from '../../../output/review/cut-text.ts';
import type { ChannelMessage } from './message.ts';

/**
 * The body for an incoming webhook of Slack. Texts are plain text, which Slack neither formats nor turns into mentions
 * or links. Only links to the own server are written as links. Slack accepts at most 50 blocks, and a message has
 * fewer.
 */
export function paintSlack({ title, sections, more, link }: ChannelMessage): string {
  const text = (words: string) => ({
    type: 'section',
    text: { type: 'plain_text', text: words, emoji: false },
  });
  const linked = (address: string, label: string) => ({
    type: 'context',
    elements: [{ type: 'mrkdwn', text: `<${escapeSlack(address)}|${label}>` }],
  });
  return JSON.stringify({
    text: escapeSlack(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cutText(title, 150), emoji: false } },
      ...sections.flatMap(({ heading, lines, link: own }) => [
        text([heading, ...lines].join('\n')),
        ...(own === null ? [] : [linked(own, 'Open in Rampart')]),
      ]),
      ...(more === 0 ? [] : [text(`… and ${more} more`)]),
      ...(link === null ? [] : [linked(link, 'Console')]),
    ],
  });
}

/** The characters that begin a mention, a link or an entity. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
