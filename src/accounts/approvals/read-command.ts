import { defined } from '../../core/lib/defined.ts';
import { sha256Id } from '../../core/lib/hex-ids.ts';
import { nearest } from '../../core/lib/words.ts';
import { ticketNumber } from '../../core/model/ticket-rule.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { readNumbers } from './numbers.ts';

/** A decision that someone wrote as a comment on a pull request. */
export interface ApprovalCommand {
  readonly decision: 'approved' | 'rejected';
  readonly checksum: string;
  readonly numbers: Readonly<Record<string, number>>;
  /** The change ticket of an approval. */
  readonly ticket?: string;
  /** Why it is rejected. */
  readonly comment?: string;
}

/** Which program answers a comment that begins with `/rampart`. */
export type CommandOwner = 'server' | 'action';

const decisions: readonly string[] = ['approve', 'reject'];

/**
 * The server decides plans, and the GitHub Action plans, applies and explains. A mistyped word belongs to the one whose
 * command is most similar, and to the Action if none is, so that each comment gets one answer. Undefined if it is no
 * command.
 */
export function commandOwner(comment: string): CommandOwner | undefined {
  const [name, verb = ''] = comment.trim().split(/\s+/, 2);
  if (name !== '/rampart') return undefined;
  // Of the commands of the Action, only `apply` is similar to one of the server. It reads only what follows the name.
  if (verb === '') return 'server';
  const [meant = ''] = nearest(verb, [...decisions, 'apply']);
  return decisions.includes(meant) ? 'server' : 'action';
}

const ticketWord = 'ticket=';

const example = 'write, for example: /rampart approve <checksum> delete=12';

/**
 * Reads `/rampart approve <checksum> delete=12 ticket=CHG0001` or `/rampart reject <checksum> <reason>`. The command must be
 * the whole comment, so text that quotes a command approves nothing. Undefined if the comment is not a command.
 */
export function readCommand(comment: string): Result<ApprovalCommand> | undefined {
  const line = comment.trim();
  if (!/^\/rampart(?:\s|$)/.test(line)) return undefined;
  if (/[\r\n]/.test(line)) return failed(problem('usage', 'a command must be the only line of its comment'));
  const [, verb = '', checksum = '', ...rest] = line.split(/[ \t]+/);
  if (verb !== 'approve' && verb !== 'reject') {
    return failed(problem('usage', 'the command must be approve or reject', { hint: example }));
  }
  if (!sha256Id.test(checksum)) {
    return failed(
      problem('usage', 'the command must contain the full checksum of the plan', { hint: example }),
    );
  }
  if (verb === 'reject') {
    const comment = rest.join(' ');
    if (comment === '') {
      return failed(problem('usage', 'a rejection needs a reason', { hint: 'write it after the checksum' }));
    }
    return ok({ decision: 'rejected', checksum, numbers: {}, comment });
  }
  const [ticket, ...otherTickets] = rest.filter((word) => word.startsWith(ticketWord));
  const number = ticket?.slice(ticketWord.length);
  if (otherTickets.length > 0 || (number !== undefined && !ticketNumber.test(number)))
    return failed(
      problem('usage', 'a change ticket must be written as ticket=CHG0001, once', { hint: example }),
    );
  const given = new Map<string, number>();
  for (const word of rest.filter((each) => each !== ticket)) {
    const match = /^([a-z]+)=(\d{1,9})$/.exec(word);
    const name = match?.[1] ?? '';
    if (match === null || given.has(name)) {
      return failed(
        problem('usage', 'the numbers must be written as delete=12, each once', { hint: example }),
      );
    }
    given.set(name, Number(match[2]));
  }
  const numbers = readNumbers(Object.fromEntries(given));
  if (!numbers.ok) return numbers;
  return ok({ decision: 'approved', checksum, numbers: numbers.value, ...defined({ ticket: number }) });
}
