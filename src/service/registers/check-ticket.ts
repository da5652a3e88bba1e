import { quoted } from '../../core/lib/words.ts';
import { type TicketRule, ticketFault, ticketRefusal } from '../../core/model/ticket-rule.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import { fetchDocument, type RegisterParts } from './fetch-register.ts';
import { fieldAt } from './read-page.ts';

/**
 * Asks the system of the operator about a change ticket. Ok only if it confirms, at this moment, everything that the rule
 * names. The ticket is part of an address, so that only letters, digits, points, hyphens and underscores are sent.
 */
export async function checkTicket(
  rule: TicketRule,
  ticket: string | undefined,
  parts: RegisterParts,
): Promise<Result<null>> {
  const missing = ticketFault(rule, ticket);
  if (missing !== undefined) return failed(missing);
  const named = ticket as string;
  const path = rule.path.replaceAll('{ticket}', named);
  const read = await fetchDocument({ source: rule.source, path }, parts);
  if (!read.ok)
    return failed(
      ...read.problems.map(({ message, hint }) =>
        ticketRefusal(rule, `the ticket ${quoted(named)} could not be checked: ${message}`, hint),
      ),
    );
  const why = unconfirmed(rule, named, read.value, parts.clock.now());
  return why === undefined ? ok(null) : failed(ticketRefusal(rule, `the ticket ${quoted(named)} ${why}`));
}

/** Why the response does not confirm the ticket. A missing field confirms nothing. */
function unconfirmed(
  { number, state, from, until }: TicketRule,
  ticket: string,
  document: unknown,
  now: number,
): string | undefined {
  const textAt = (path: string) => {
    const value = fieldAt(document, path);
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
  };
  if (number !== undefined && textAt(number)?.toLowerCase() !== ticket.toLowerCase())
    return 'was not found: the reply is about no ticket, or another one';
  if (state !== undefined) {
    const found = textAt(state.at);
    if (found === undefined || !state.is.includes(found))
      return `does not have the state ${state.is.map(quoted).join(' or ')}`;
  }
  if (from !== undefined) {
    const start = timeOf(textAt(from));
    if (start === undefined) return 'has no start of its window that can be read';
    if (now < start) return `begins at ${new Date(start).toISOString()}`;
  }
  if (until !== undefined) {
    const end = timeOf(textAt(until));
    if (end === undefined) return 'has no end of its window that can be read';
    if (now >= end) return `ended at ${new Date(end).toISOString()}`;
  }
  return undefined;
}

/** A time without a zone is UTC, as in ServiceNow. */
function timeOf(text: string | undefined): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/.exec(text ?? '');
  const time = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}${match[3] ?? 'Z'}`);
  return Number.isNaN(time) ? undefined : time;
}
