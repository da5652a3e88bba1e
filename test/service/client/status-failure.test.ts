import { describe, expect, it } from 'vitest';
import { statusFailure } from '../../../src/service/client/failures.ts';

const failure = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
  message: string | null = null,
  action: 'renameHost' | 'listHosts' | 'checkAuthentication' = 'renameHost',
) =>
  statusFailure(action, { status, headers, body: new Uint8Array() }, { message, hostIds: [] }, () => false);

describe('the message of a status', () => {
  it('contains the call, the status, the target and the text of the service, in this order', () => {
    const { problem } = failure(302, { location: 'https://other.example/' }, 'it has moved');
    expect(problem.message).toMatch(/returned 302, a redirect to https:\/\/other\.example\/: it has moved$/);
    expect(failure(503, {}, 'later').problem.message).toMatch(/returned 503 \(.+\): later$/);
  });
  it('has no meaning for a success that the contract does not define', () => {
    const { problem, outcome } = failure(200);
    expect([problem.message.endsWith('returned 200'), outcome]).toEqual([true, 'unknown']);
  });
  it('of a 5xx to a read leaves nothing unknown', () =>
    expect(failure(500, {}, null, 'listHosts').outcome).toBe('refused'));
  it.each([
    [403, 'forbidden'],
    [404, 'not found'],
    [405, 'method not allowed'],
    [409, 'conflict'],
    [413, 'the request is too large'],
    [429, 'denied due to rate limiting'],
    [500, 'internal error'],
    [502, 'bad gateway'],
    [503, 'unavailable'],
    [504, 'gateway timeout'],
  ])('explains what %i usually means, if the contract does not', (status, meaning) => {
    const { problem } = failure(status, {}, null, 'checkAuthentication');
    expect(problem.message).toMatch(new RegExp(`returned ${status} \\(${meaning}\\)$`));
  });
});
