import '../../tiers/uses-a-system.ts';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nothingRecalled } from '../../../src/core/model/install-request.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import type { InstallMemory } from '../../../src/terraform/fleet/plan-fleet.ts';
import { unknownNotNull } from '../../../src/terraform/protocol/value/value.ts';
import { knownInstalls } from '../../../src/terraform/provider/service.ts';
import { runFilesIn } from '../../given/run-files.ts';
import { accepted, inDoubt } from './given/install-memory.ts';
import { type CoreOptions, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const hour = 3_600_000;
const fleet = {
  hosts: [
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
  ],
};
const config = { host_id: '1', antivirus: 'installed' };
const stored = { id: '1', host_id: '1', name: 'A', online: true, on_destroy: 'forget', status: 'settled' };
const planned = { ...stored, antivirus: 'installed', status: unknownNotNull };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rampart-recall-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const stateDir = () => join(folder, 'state');
/**
 * The files on disk while the service receives the install: everything that is left of a process killed at that time.
 */
const killedDir = () => join(folder, 'killed');

/** A provider process whose install is intercepted; the service responds with this status, or accepts it. */
async function firstProcess(status?: number) {
  const options: CoreOptions = {
    config: { state_dir: stateDir() },
    switches: { installTakesMs: hour },
    faults: ({ action }) => {
      if (action !== 'installAntivirus') return [];
      cpSync(stateDir(), killedDir(), { recursive: true });
      return status === undefined ? [] : [{ kind: 'status', status }];
    },
  };
  const core = await rampartCore(fleet, options);
  return { ...core, ...resourceCalls(core, 'rampart_host') };
}

/** A later process for the same account, with the files of an earlier one in a folder. */
async function nextProcess(
  { url, emulator }: Pick<Awaited<ReturnType<typeof firstProcess>>, 'url' | 'emulator'>,
  state_dir: string,
) {
  const from = emulator.requests.length;
  const core = await rampartCore({}, { config: { state_dir } }, async () => ({
    url,
    port: 0,
    close: async () => {},
  }));
  const writes = () =>
    emulator.requests.slice(from).flatMap(({ action, method }) => (method === 'GET' ? [] : [action]));
  return { ...resourceCalls(core, 'rampart_host'), writes };
}

describe('an install of rampart_host whose process was killed', () => {
  test('is in doubt for the next process, which requests nothing until the host has reported', async () => {
    const first = await firstProcess();
    await first.apply({ prior: null, planned });
    const { plan, apply, writes } = await nextProcess(first, killedDir());
    const { warnings, errors } = await plan({ config });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('may have been requested at')]);
    const done = await apply({ prior: null, planned });
    expect(writes()).toEqual(['refreshAntivirusStatus']);
    expect(done.warnings).toEqual([]);
    expect(done.errors).toEqual([expect.stringContaining('may have been requested at')]);
    expect(done.state).toMatchObject({ status: 'in-doubt' });
    expect(done.memory).toEqual({
      installs: [
        { hostId: '1', state: 'in-doubt', requestedAt: expect.any(String), refreshedAt: expect.any(String) },
      ],
    });
  });

  test('is in doubt in an update too, whatever the resource remembers of earlier installs', async () => {
    const first = await firstProcess();
    await first.apply({ prior: stored, planned });
    for (const [memory, calls] of [
      [accepted(Date.now() - 25 * hour), ['refreshAntivirusStatus']],
      [inDoubt(Date.now(), Date.now()), []],
    ] as const) {
      const { apply, writes } = await nextProcess(first, killedDir());
      const done = await apply({ prior: stored, planned, private: memory });
      expect(writes()).toEqual(calls);
      expect(done.errors).toEqual([expect.stringContaining('may have been requested at')]);
    }
  });
});

describe('the known state of an install', () => {
  const time = Date.parse('2026-11-20T12:00:00.000Z');
  const now = time + hour;
  const known = (recorded: object, remembered: object, ofResource: object) => {
    const { installs = [] } = recorded as InstallMemory;
    const requests = new Map(installs.map(({ hostId: id, ...request }) => [id, request]));
    const service = {
      recallInstalls: async () => ok({ ...nothingRecalled, requests }),
      remembered,
      session: { clock: { now: () => now } },
    };
    return knownInstalls(service as never, ofResource);
  };

  test.each<readonly [string, object, object, object, object]>([
    ['a doubt in the journal', inDoubt(time), {}, {}, inDoubt(time)],
    ['a doubt after a status refresh', inDoubt(time, now), {}, {}, inDoubt(time, now)],
    ['an accepted request in the journal', accepted(time), {}, inDoubt(time - 1), accepted(time)],
    ['the same request in both', inDoubt(time), {}, accepted(time), inDoubt(time)],
    ['a later request in the private state', accepted(time), {}, inDoubt(time + 1), inDoubt(time + 1)],
    ['a later request of another resource', accepted(time), inDoubt(time + 1), {}, inDoubt(time + 1)],
  ])('is the latest request: %s', async (_what, recorded, remembered, ofResource, expected) => {
    const recall = await known(recorded, remembered, ofResource);
    const [[hostId, request] = []] = recall.ok ? [...recall.value.requests] : [];
    expect({ installs: [{ hostId, ...request }] }).toEqual(expected);
  });

  test("is an error if the journal can't be read", async () => {
    const unread = failed(problem('journal', 'the database does not answer'));
    const service = { recallInstalls: async () => unread, remembered: {}, session: {} };
    expect(await knownInstalls(service as never, {})).toBe(unread);
  });
});

describe('the record of an install of rampart_host', () => {
  test('proves that the service accepted it: a resource without a state does not request it again', async () => {
    const first = await firstProcess();
    expect((await first.apply({ prior: null, planned })).state).toMatchObject({ status: 'installing' });
    const { plan, apply, writes } = await nextProcess(first, stateDir());
    expect((await plan({ config })).warnings).toEqual([]);
    const done = await apply({ prior: null, planned });
    expect(writes()).toEqual([]);
    expect(done).toMatchObject({ errors: [], warnings: [], state: { status: 'installing' } });
    expect(done.memory).toEqual({
      installs: [{ hostId: '1', state: 'accepted', requestedAt: expect.any(String) }],
    });
  });

  test.each([
    [400, ['installAntivirus']],
    [500, ['refreshAntivirusStatus']],
  ])('contains the response of the service: %d', async (status, calls) => {
    const first = await firstProcess(status);
    await first.apply({ prior: stored, planned });
    const { apply, writes } = await nextProcess(first, stateDir());
    await apply({ prior: stored, planned });
    expect(writes()).toEqual(calls);
  });

  test("is a condition of the request: nothing is sent if it can't be written", async () => {
    writeFileSync(stateDir(), 'a file');
    const { apply } = await firstProcess();
    const { calls, errors, about } = await apply({ prior: stored, planned });
    expect([calls, errors.length, about]).toEqual([[], 1, ['antivirus']]);
  });

  test('does not collide with a whole fleet that is applied in the same run', async () => {
    const core = await rampartCore(fleet, { config: { state_dir: stateDir() } });
    const open = unknownNotNull;
    const done = await Promise.all([
      resourceCalls(core, 'rampart_host').apply({ prior: null, planned }),
      resourceCalls(core, 'rampart_fleet').apply({
        prior: null,
        planned: {
          content: 'version: 1\nhosts:\n  - { id: 2, name: NEW }\n',
          id: open,
          counts: open,
          calls: open,
          summary: open,
          changes: open,
          drift: open,
          checksum: open,
          applied_at: open,
        },
      }),
    ]);
    expect(done.map(({ errors }) => errors)).toEqual([[], []]);
    expect(runFilesIn(stateDir())).toHaveLength(2);
  });
});
