import type { ChannelMessage } from './message.ts';

export interface Mail {
  readonly subject: string;
  readonly text: string;
}

/** A message as plain text. It has no HTML, so no text can become a link or load an image. */
export function paintMail({ title, sections, more, link }: ChannelMessage): Mail {
  const paragraphs = sections.map(({ heading, lines, link: own }) =>
    [heading, ...lines.map((line) => `  ${line}`), ...(own === null ? [] : [`  ${own}`])].join('\n'),
  );
  return {
    subject: title.replaceAll(/\p{Cc}/gu, ' '),
    text: `${[
      ...paragraphs,
      ...(more === 0 ? [] : [`… and ${more} more`]),
      ...(link === null ? [] : [`Console: ${link}`]),
    ].join('\n\n')}\n`,
  };
}
