import { describe, expect, it } from 'vitest';
import { refreshAntivirus } from '../../../src/service/wire/refresh-antivirus.ts';
import { requestConnection } from '../../../src/service/wire/request-connection.ts';
import { hostId } from '../../given/fleet.ts';
import { answer, scriptedService } from '../../given/scripted-service.ts';

describe('a refresh of the anti-virus status', () => {
  it('is one POST with exact ids, and returns for each host in the response whether it arrived', async () => {
    const { client, requests } = scriptedService([
      answer(
        200,
        '{"commandStatuses":[{"targetHostId":9223372036854775807,"sentSuccessfully":true},{"targetHostId":2,"sentSuccessfully":false}]}',
      ),
    ]);
    const sent = await refreshAntivirus(client, [hostId('9223372036854775807'), hostId(2), hostId(3)]);
    expect(sent).toEqual({
      ok: true,
      value: new Map([
        ['9223372036854775807', true],
        ['2', false],
      ]),
    });
    expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      [
        'POST',
        '/public-api/v1/anti-virus/actions/refresh-status',
        '{"targetHostIds":[9223372036854775807,2,3]}',
      ],
    ]);
  });
});

describe('a connection to a host', () => {
  const intent = { directLink: true, failWhenInSession: true };
  const id = hostId('9223372036854775807');

  it('is one POST, and the ticket is exact', async () => {
    const { client, requests } = scriptedService([
      answer(200, '{"gatewayUrl":"https://x.invalid/t","sessionTicketId":9007199254740993}'),
    ]);
    expect(await requestConnection(client, id, intent)).toMatchObject({
      ok: true,
      value: { gatewayUrl: 'https://x.invalid/t', sessionTicketId: '9007199254740993' },
    });
    expect(requests.map(({ body }) => body)).toEqual([
      '{"directLink":true,"failWhenRaSessionInProgress":true}',
    ]);
  });

  it.each([
    [404, 'missing-host'],
    [405, 'not-allowed'],
    [409, 'conflict'],
  ])('%s means %s if the response contains the host', async (status, code) => {
    const body = `{"message":"No.","hostId":${id}}`;
    const { client } = scriptedService([answer(status, body)]);
    expect((await requestConnection(client, id, intent)).problems).toMatchObject([{ code, hostIds: [id] }]);
  });

  it('a 404 of another resource proves nothing about the host', async () => {
    const { client } = scriptedService([answer(404, '<html>nothing here</html>')]);
    expect((await requestConnection(client, id, intent)).problems).toMatchObject([{ code: 'not-found' }]);
  });
});
