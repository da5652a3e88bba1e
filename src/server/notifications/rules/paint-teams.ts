import type { ChannelMessage } from './message.ts';

/** Teams refuses a message of 28 KB, in UTF-8 or UTF-16, and then nobody would receive any of its sections. */
const mostBytes = 27_000;

/**
 * The body for a webhook of Microsoft Teams: an Adaptive Card. Text runs are not Markdown, so no text can become a link
 * or a mention. If long names make it too large, its last sections are only counted.
 */
export function paintTeams(message: ChannelMessage): string {
  const { sections, more } = message;
  const card = paintCard(message);
  if (sections.length <= 1 || Math.max(2 * card.length, Buffer.byteLength(card)) <= mostBytes) return card;
  return paintTeams({ ...message, sections: sections.slice(0, -1), more: more + 1 });
}

function paintCard({ title, sections, more, link }: ChannelMessage): string {
  const words = (text: string, style: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...style }],
  });
  const open = (url: string, label: string) => ({ type: 'Action.OpenUrl', title: label, url });
  return JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: title,
          body: [
            words(title, { weight: 'Bolder', size: 'Medium' }),
            ...sections.flatMap(({ heading, lines, link: own }) => [
              { ...words(heading, { weight: 'Bolder' }), separator: true },
              ...lines.map((line) => words(line)),
              ...(own === null ? [] : [{ type: 'ActionSet', actions: [open(own, 'Open in Rampart')] }]),
            ]),
            ...(more === 0 ? [] : [words(`… and ${more} more`)]),
          ],
          ...(link === null ? {} : { actions: [open(link, 'Console')] }),
        },
      },
    ],
  });
}
