import { describe, expect, it } from 'vitest';
import { createFleetWriter } from '../../../src/service/wire/create-fleet-writer.ts';
import type { FleetWriter } from '../../../src/service/wire/fleet.ts';
import { groupId, hostId } from '../../given/fleet.ts';
import { answer, scriptedService, type Turn } from '../../given/scripted-service.ts';

const big = hostId('9223372036854775807');

function given(...turns: readonly Turn[]) {
  const service = scriptedService(turns, { retries: 0 });
  return { ...service, writer: createFleetWriter(service.client) };
}

describe('each write is one call of the contract, with exact ids', () => {
  const writes: readonly [string, (writer: FleetWriter) => Promise<unknown>, Turn, string, string][] = [
    [
      'a rename',
      (writer) => writer.rename(big, 'BER "1"'),
      answer(204),
      'PUT /public-api/v1/hosts/9223372036854775807/description',
      '{"newDescription":"BER \\"1\\""}',
    ],
    [
      'a move',
      (writer) => writer.move(groupId(17), [big, hostId(2)]),
      answer(204),
      'PUT /public-api/v1/host-groups/17/hosts',
      '{"hostIds":[9223372036854775807,2]}',
    ],
    [
      'a move to no group',
      (writer) => writer.move(groupId(-1), [hostId(2)]),
      answer(204),
      'PUT /public-api/v1/host-groups/-1/hosts',
      '{"hostIds":[2]}',
    ],
    [
      'a deletion',
      (writer) => writer.remove([big]),
      answer(204),
      'DELETE /public-api/v1/hosts',
      '{"hostIds":[9223372036854775807]}',
    ],
    [
      'an install',
      (writer) => writer.installAntivirus([big]),
      answer(200, { status: 1 }),
      'POST /public-api/v1/anti-virus/actions/install-vendor-endpoint-security',
      '{"targetHostIds":[9223372036854775807]}',
    ],
  ];
  it.each(writes)('%s', async (_, write, turn, call, body) => {
    const { writer, requests } = given(turn);
    expect(await write(writer)).toMatchObject({ ok: true });
    expect(requests.map((request) => [`${request.method} ${request.path}`, request.body])).toEqual([
      [call, body],
    ]);
  });
});

it.each([
  [0, 'unavailable'],
  [1, 'accepted'],
  [2, 'pending'],
  [3, 'quota-reached'],
  [7, { unknown: 7 }],
])("the service's response to an install %j means %j", async (status, value) => {
  const { writer } = given(answer(200, { status }));
  expect(await writer.installAntivirus([big])).toEqual({ ok: true, value });
});
