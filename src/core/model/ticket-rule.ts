import { defined } from '../lib/defined.ts';
import { quoted } from '../lib/words.ts';
import { failed, ok, type Place, type Problem, problem, type Result } from '../problem/problem.ts';

/** The check of a change ticket that an operator requires before the first write. Paths are those of JSON fields. */
export interface TicketRule {
  /** The name of a source, whose address and credentials are in the environment of the operator. */
  readonly source: string;
  /** Below the address of the source, with `{ticket}` for the number. */
  readonly path: string;
  /** The field that must have the number of the ticket. */
  readonly number?: string;
  readonly state?: { readonly at: string; readonly is: readonly string[] };
  /** The fields with the start and the end of the time in which changes are allowed. */
  readonly from?: string;
  readonly until?: string;
  readonly place: Place;
}

/** It becomes part of an address. */
export const ticketNumber = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The ticket of a run, unless its plan is for another one. */
export function ticketOfRun(
  planned: string | undefined,
  given: string | undefined,
): Result<{ readonly ticket?: string }> {
  if (planned === undefined || given === undefined || planned === given)
    return ok(defined({ ticket: planned ?? given }));
  return failed(
    problem(
      'not-approved',
      `the plan is for the change ticket ${quoted(planned)}, not for ${quoted(given)}`,
      {
        hint: 'leave out the ticket, or plan again for the other one: rampart plan --ticket NUMBER --out FILE',
      },
    ),
  );
}

/** Why no request is needed to refuse the ticket. */
export function ticketFault(rule: TicketRule, ticket: string | undefined): Problem | undefined {
  if (ticket === undefined)
    return ticketRefusal(
      rule,
      'a change ticket is required',
      'name it: with --ticket CHG0001, or with ticket=CHG0001 in a command on a pull request',
    );
  if (ticketNumber.test(ticket)) return undefined;
  return ticketRefusal(
    rule,
    'this is not the number of a change ticket',
    'use at most 64 letters, digits, points, hyphens and underscores',
  );
}

export function ticketRefusal({ place }: TicketRule, message: string, hint?: string): Problem {
  return problem('not-approved', `${message}: nothing is changed`, {
    place,
    ...(hint === undefined ? {} : { hint }),
  });
}
