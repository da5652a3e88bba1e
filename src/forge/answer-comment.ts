import { z } from 'zod';
import { printable } from '../core/lib/printable.ts';
import { cutText } from '../output/review/cut-text.ts';

/** The reply to a command that someone wrote on a pull request. All texts are hostile. */
export interface CommentAnswer {
  /** The number of the pull request. */
  readonly pull: number;
  readonly login: string;
  readonly accepted: boolean;
  readonly message: string;
  /** The change in the console, if the command was accepted. */
  readonly path?: string | undefined;
}

const schema = z.object({
  pull: z.int().positive(),
  login: z.string(),
  accepted: z.boolean(),
  message: z.string(),
  path: z
    .string()
    .regex(/^\/changes\/[\w-]+$/)
    .optional(),
});
const mostText = 1_000;

export function readCommentAnswer(stored: unknown): CommentAnswer | undefined {
  return schema.safeParse(stored).data;
}

/**
 * The comment as Markdown. The message is a code block and the name of the user a code span, so neither mentions a
 * person, contains a link or begins a command. The mark in the first line finds the comment if its id was lost.
 */
export function paintAnswer(
  { login, accepted, message, path }: CommentAnswer,
  { source, mark, serverUrl }: { source: string; mark: string; serverUrl: string | undefined },
): string {
  const text = cutText(printable(message), mostText);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const name = printable(login).replaceAll('`', '').slice(0, 100);
  const link =
    path === undefined || serverUrl === undefined ? [] : ['', `[Open the change](${serverUrl}${path})`];
  return [
    mark,
    `Rampart ${accepted ? 'accepted' : 'refused'} the command of \`${name}\` (source \`${source}\`).`,
    '',
    fence,
    text,
    fence,
    ...link,
  ].join('\n');
}
