import { commandOwner } from '../accounts/approvals/read-command.ts';

/** A command in a comment on a pull request. */
export type CommentCommand =
  | { readonly kind: 'plan' }
  /** `checksum`: the first digits of the checksum of the plan that its author means. */
  | { readonly kind: 'apply'; readonly checksum?: string }
  | { readonly kind: 'explain'; readonly host: string };

const longestHost = 256;

/** The forms of all commands, for people who mistyped one. */
export const commandForms =
  '`/rampart plan`, `/rampart apply`, `/rampart apply CHECKSUM` and `/rampart explain HOST`';

/**
 * Undefined if the comment is not a command, or if a Rampart server answers it; null for an unknown command. Only the
 * first line counts. Workflows choose the environment of an apply by the start of the comment, so exactly one blank
 * separates the words.
 */
export function readCommentCommand(body: string): CommentCommand | null | undefined {
  const [line = ''] = body.split(/\r?\n/, 1);
  if (!line.startsWith('/rampart ')) return undefined;
  // A server decides plans, and each command gets one answer.
  if (commandOwner(line) === 'server') return undefined;
  // Strangers write comments, so no pattern may look for the blanks at the end from each blank of the line.
  const [, word, rest = ''] = /^\/rampart (\w+)(?: (\S.*))?$/.exec(line.trimEnd()) ?? [];
  if (word === 'plan' && rest === '') return { kind: 'plan' };
  if (word === 'apply' && rest === '') return { kind: 'apply' };
  if (word === 'apply' && /^[0-9a-f]{8,64}$/i.test(rest))
    return { kind: 'apply', checksum: rest.toLowerCase() };
  if (word === 'explain' && rest !== '' && rest.length <= longestHost) return { kind: 'explain', host: rest };
  return null;
}
