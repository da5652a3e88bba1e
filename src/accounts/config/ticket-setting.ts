import type { TicketRule } from '../../core/model/ticket-rule.ts';
import { line, list, type Setting, section, text } from './setting.ts';

const path = line({
  words: 'a path with {ticket}, such as api/changes/{ticket}',
  parse: (given) => (given.includes('{ticket}') ? given : undefined),
});

const state = section(
  {
    at: { is: text, meaning: 'The field with the state.', required: true },
    is: { is: list(text), meaning: 'The states in which changes are allowed.', required: true },
  } as const,
  (values) => values,
);

/**
 * `ticket:` of an account. Something in the response must confirm the ticket; otherwise any response would confirm it.
 */
export const ticketSetting: Setting<TicketRule> = section(
  {
    source: {
      is: text,
      meaning: 'The name of a source, whose RAMPART_SOURCE_ variables have the address and the credentials.',
      required: true,
    },
    path: {
      is: path,
      meaning: 'The path below this address that returns the ticket as JSON, with {ticket} for its number.',
      required: true,
    },
    number: { is: text, meaning: 'The field with the number of the ticket, which must be the same.' },
    state: {
      is: state,
      meaning: 'The field with the state of the ticket, and the states that allow changes.',
    },
    from: { is: text, meaning: 'The field with the time before which nothing is changed.' },
    until: { is: text, meaning: 'The field with the time after which nothing is changed.' },
  } as const,
  (values, { place, refuse }) =>
    values.state === undefined
      ? refuse(
          null,
          '"ticket" needs "state"',
          'write, for example, state: { at: result.0.state, is: [Implement] }',
        )
      : { ...values, place },
);
