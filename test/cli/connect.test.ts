import { describe, expect, it } from 'vitest';
import { connected, givenService, workplace } from '../given/command-line.ts';

const fleet = {
  hosts: [
    { id: '9007199254740993', name: 'LOBBY' },
    { id: '2', name: 'OFF', online: false },
    { id: '3', name: 'BUSY', inSession: true },
    { id: '4', name: 'TWIN' },
    { id: '5', name: 'TWIN' },
    { id: '6', name: 'evil\u001b[31m' },
  ],
};
const url = 'https://gateway.example.invalid/connect/1000001';

describe('connect', () => {
  it('prints the address and nothing else', async () => {
    const { rampart, emulator } = await connected(fleet);
    expect(await rampart('hosts connect LOBBY')).toEqual({ code: 0, out: `${url}\n`, err: '' });
    expect(emulator.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/public-api/v2/hosts', null],
      [
        'POST',
        '/public-api/v1/hosts/9007199254740993/connection',
        '{"directLink":false,"failWhenRaSessionInProgress":false}',
      ],
    ]);
  });

  it('by id reads no list', async () => {
    const { rampart, emulator } = await connected(fleet);
    const { out } = await rampart('hosts connect 3 --direct-link');
    expect(out).toBe('https://direct.example.invalid/connect/1000001\n');
    expect(emulator.requests).toHaveLength(1);
  });

  it.each(['9223372036854775808', '007'])('by digits that are not an id, %s, is an error', async (digits) => {
    const { rampart } = await connected(fleet);
    const { code, err } = await rampart(['hosts', 'connect', digits]);
    expect(code).toBe(3);
    expect(err).toContain(`no host has the name "${digits}"`);
    expect(err).toContain('it is not an id either: ids are 64-bit integers without leading zeros');
  });

  it('as JSON gives both fields, the ticket to the last digit', async () => {
    const { rampart } = await workplace();
    const body = '{"gatewayUrl":"https://x.invalid/t","sessionTicketId":9223372036854775807}';
    const { env } = await givenService(fleet, {
      faults: [{ action: 'connectHost', effect: { kind: 'status', status: 200, text: body } }],
    });
    const { out } = await rampart('hosts connect 3 --json', { env });
    expect(JSON.parse(out)).toEqual({
      gateway_url: 'https://x.invalid/t',
      session_ticket_id: '9223372036854775807',
    });
  });

  const refusals: readonly [string, readonly string[], number, string][] = [
    ['a host that there is not, by id', ['99'], 3, 'host 99 does not exist in this account'],
    ['a host that there is not, by name', ['LOBY'], 3, 'did you mean "LOBBY"?'],
    ['a name that two hosts have', ['TWIN'], 3, 'use an id: 4, 5'],
    ['a host that is offline', ['OFF'], 1, 'host 2 is offline'],
    ['a session in progress', ['BUSY', '--fail-when-in-session'], 1, 'remove --fail-when-in-session'],
    ['no host', [], 3, "missing required argument 'host'"],
  ];
  it.each(refusals)('%s is reported', async (_, argv, exit, words) => {
    const { rampart } = await connected(fleet);
    const { code, out, err } = await rampart(['hosts', 'connect', ...argv]);
    expect({ code, out }).toEqual({ code: exit, out: '' });
    expect(err).toContain(words);
  });

  it('a session in progress does not matter without the flag', async () => {
    const { rampart } = await connected(fleet);
    expect((await rampart('hosts connect BUSY')).code).toBe(0);
  });

  it.each([
    [401, 4],
    [403, 1],
    [500, 1],
    // No host is named in it: it may be another address than the service's.
    [404, 1],
  ])('a %s ends %s', async (status, exit) => {
    const { rampart, emulator } = await connected(fleet, {
      faults: [{ action: 'connectHost', effect: { kind: 'status', status } }],
    });
    const { code, out } = await rampart('hosts connect 3');
    expect({ code, out }).toEqual({ code: exit, out: '' });
    expect(emulator.requests).toHaveLength(1);
  });

  it('is not asked for again when the reply is lost', async () => {
    const { rampart, emulator } = await connected(fleet, {
      faults: [{ action: 'connectHost', effect: { kind: 'drop', when: 'after' } }],
    });
    expect((await rampart('hosts connect 3')).code).toBe(1);
    expect(emulator.requests).toHaveLength(1);
  });

  it.each([[[]], [['--json']]])('its address is on stdout alone, also with -v (%j)', async (flags) => {
    const { rampart } = await connected(fleet);
    const { out, err } = await rampart(['hosts', 'connect', 'LOBBY', '-v', ...flags], {
      env: { RAMPART_LOG: 'debug' },
    });
    expect(out).toContain(url);
    expect(err).toContain('POST /public-api/v1/hosts/{host-id}/connection → 200');
    expect(err).not.toContain('example.invalid');
    expect(err).not.toContain('1000001');
  });

  it("an address that can't be used is in no message", async () => {
    const { rampart } = await connected(fleet, {
      faults: [
        {
          action: 'connectHost',
          effect: {
            kind: 'status',
            status: 200,
            text: '{"gatewayUrl":"https://secret.invalid/t","sessionTicketId":1.5}',
          },
        },
      ],
    });
    const { code, out, err } = await rampart('hosts connect 3 -v');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('sessionTicketId');
    expect(err).not.toContain('secret.invalid');
  });
});
