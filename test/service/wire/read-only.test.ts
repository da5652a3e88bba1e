import { describe, expect, it } from 'vitest';
import type { GroupId } from '../../../src/core/model/observed.ts';
import { type WriteAction, writeActions } from '../../../src/core/model/write-action.ts';
import { createFleetWriter } from '../../../src/service/wire/create-fleet-writer.ts';
import type { FleetWriter, WriteResult } from '../../../src/service/wire/fleet.ts';
import { hostId } from '../../given/fleet.ts';
import { answer, scriptedService } from '../../given/scripted-service.ts';

const calls: Readonly<Record<WriteAction, (writer: FleetWriter) => Promise<WriteResult<unknown>>>> = {
  rename: (writer) => writer.rename(hostId(1), 'A'),
  move: (writer) => writer.move('10' as GroupId, [hostId(1)]),
  delete: (writer) => writer.remove([hostId(1)]),
  antivirus: (writer) => writer.installAntivirus([hostId(1)]),
  refresh: (writer) => writer.refreshAntivirus([hostId(1)]),
};

describe('read-only mode', () => {
  it.each(writeActions)('refuses %s before anything is sent', async (action) => {
    const { client, requests } = scriptedService([answer(200, {})], { readOnly: true });
    expect(await calls[action](createFleetWriter(client))).toMatchObject({
      ok: false,
      failure: { outcome: 'not-sent', problem: { code: 'read-only' } },
    });
    expect(requests).toEqual([]);
  });

  it.each(writeActions)('is what keeps %s from being sent', async (action) => {
    const { client, requests } = scriptedService([answer(500)]);
    await calls[action](createFleetWriter(client));
    expect(requests.length).toBeGreaterThan(0);
  });
});
