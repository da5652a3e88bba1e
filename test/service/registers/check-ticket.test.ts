import { describe, expect, it } from 'vitest';
import type { TicketRule } from '../../../src/core/model/ticket-rule.ts';
import { checkTicket } from '../../../src/service/registers/check-ticket.ts';
import { type AssetReply, assetServer } from '../../given/asset-server.ts';

const place = { file: 'rampart.config.yaml', line: 3, col: 5 };
const rule: TicketRule = {
  source: 'snow',
  path: 'changes?number={ticket}',
  number: 'result.0.number',
  state: { at: 'result.0.state', is: ['Implement', '-1'] },
  from: 'result.0.start',
  until: 'result.0.end',
  place,
};
const change = {
  number: 'CHG0001',
  state: 'Implement',
  start: '2026-11-28 18:00:00',
  end: '2026-11-28T20:00:00Z',
};

async function checked(reply: AssetReply, ticket: string | undefined = 'CHG0001', own: TicketRule = rule) {
  const server = await assetServer(() => reply);
  const result = await checkTicket(own, ticket, {
    env: { RAMPART_SOURCE_SNOW_URL: server.url, RAMPART_SOURCE_SNOW_HEADER: 'Authorization: Bearer s3cret' },
    folder: '.',
    clock: { now: () => Date.parse('2026-11-28T19:00:00Z'), sleep: async () => {} },
    hide: () => {},
  });
  return { ...server, result, message: result.problems.map(({ message }) => message).join('; ') };
}

const replyWith = (changed: object): AssetReply => ({ body: { result: [{ ...change, ...changed }] } });

describe('a change ticket', () => {
  it.each<[string, object]>([
    ['its state and window', {}],
    ['a state that is a number', { state: -1 }],
    ['its number in small letters', { number: 'chg0001' }],
    ['a window in another time zone', { start: '2026-11-28T20:30:00+02:00', end: '2026-11-28T20:30+01:00' }],
  ])('is confirmed by %s', async (_, changed) => {
    const { result, asked } = await checked(replyWith(changed));
    expect(result.ok).toBe(true);
    expect(asked).toEqual(['GET /changes?number=CHG0001']);
  });

  it('is confirmed from the first moment of its window', async () =>
    expect((await checked(replyWith({ start: '2026-11-28 19:00:00' }))).result.ok).toBe(true));

  it('is confirmed by its number alone if the rule has no state', async () => {
    const { source, path, number = '' } = rule;
    const own = { source, path, place, number };
    expect((await checked(replyWith({ number: ' CHG0001 ' }), 'CHG0001', own)).result.ok).toBe(true);
  });

  it('is confirmed by its state alone if the rule has nothing else', async () => {
    const { source, path } = rule;
    const own = { source, path, place, state: { at: 'state', is: ['open'] } };
    expect((await checked({ body: { state: 'open' } }, 'A-1', own)).result.ok).toBe(true);
  });

  it.each<[string, AssetReply, RegExp]>([
    ['of another state', replyWith({ state: 'Closed' }), /does not have the state "Implement" or "-1"/],
    ['whose state is a list', replyWith({ state: ['Implement'] }), /does not have the state/],
    ['without a state', replyWith({ state: null }), /does not have the state/],
    ['with another number', replyWith({ number: 'CHG0002' }), /the reply is about no ticket, or another one/],
    ['that does not exist', { body: { result: [] } }, /the reply is about no ticket/],
    ['before its window', replyWith({ start: '2026-11-28 19:00:01' }), /begins at 2026-11-28T19:00:01/],
    ['whose window is over', replyWith({ end: '2026-11-28 19:00:00' }), /ended at 2026-11-28T19:00:00/],
    ['without a start', replyWith({ start: '' }), /no start of its window that can be read/],
    ['with an end that is no time', replyWith({ end: 'tomorrow' }), /no end of its window that can be read/],
    ['that the system refuses', { status: 401, body: 'SECRET' }, /could not be checked.*credentials \(401\)/],
    ['that the system does not know', { status: 404 }, /could not be checked.*answered 404/],
    ['that the system answers with a page', { body: '<html>' }, /could not be checked.*not JSON/],
    ['that the system sends elsewhere', { status: 302, headers: { location: '/x' } }, /could not be checked/],
  ])('%s is refused', async (_, reply, expected) => {
    const { result, message } = await checked(reply);
    expect(message).toMatch(expected);
    expect(message).toMatch(/nothing is changed$/);
    expect(message).not.toMatch(/SECRET|s3cret/);
    expect(result.problems[0]).toMatchObject({ code: 'not-approved', place });
  });

  it.each([
    ['no number at all', undefined, /a change ticket is required/],
    ['an empty number', '', /not the number of a change ticket/],
    ['a number that changes the request', 'CHG1^ORactive=true', /not the number of a change ticket/],
    ['a number that is a path', '../users', /not the number of a change ticket/],
    ['a number that is too long', 'C'.repeat(65), /not the number of a change ticket/],
  ])('with %s is refused without a request', async (_, ticket, expected) => {
    const server = await assetServer(() => replyWith({}));
    const result = await checkTicket(rule, ticket, {
      env: { RAMPART_SOURCE_SNOW_URL: server.url },
      folder: '.',
      clock: { now: () => 0, sleep: async () => {} },
      hide: () => {},
    });
    expect(result.problems.map(({ message }) => message).join()).toMatch(expected);
    expect(server.asked).toEqual([]);
  });
});
