import '../../tiers/uses-a-system.ts';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InstallRequest, nothingRecalled } from '../../../src/core/model/install-request.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { failed, ok } from '../../../src/core/problem/result.ts';
import { unknownValue } from '../../../src/terraform/protocol/value/unknown.ts';
import type { HostMemory } from '../../../src/terraform/provider/host/host-values.ts';
import { recallInstall } from '../../../src/terraform/provider/host/recalled-install.ts';
import { hostId } from '../../given/fleet.ts';
import { runFilesIn } from '../../given/run-files.ts';
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
const planned = { ...stored, antivirus: 'installed', status: unknownValue({ nullable: false }) };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rampart-recall-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const stateDir = () => join(folder, 'state');
/** What is on disk while the service receives the install: all that a process leaves that is killed then. */
const killedDir = () => join(folder, 'killed');

/** A provider process whose install is caught on its way; the service answers with this status, or accepts it. */
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

/** A later process for the same account, with what an earlier one left in a folder. */
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
      antivirusInDoubtAt: expect.any(Number),
      antivirusRefreshedAt: expect.any(Number),
    });
  });

  test('is in doubt in an update too, whatever the resource remembers of earlier installs', async () => {
    const first = await firstProcess();
    await first.apply({ prior: stored, planned });
    for (const [memory, calls] of [
      [{ antivirusAskedAt: Date.now() - 25 * hour }, ['refreshAntivirusStatus']],
      [{ antivirusInDoubtAt: Date.now(), antivirusRefreshedAt: Date.now() }, []],
    ] as const) {
      const { apply, writes } = await nextProcess(first, killedDir());
      const done = await apply({ prior: stored, planned, private: memory });
      expect(writes()).toEqual(calls);
      expect(done.errors).toEqual([expect.stringContaining('may have been requested at')]);
    }
  });
});

describe('what is known of an install', () => {
  const requestedAt = '2026-11-20T12:00:00.000Z';
  const time = Date.parse(requestedAt);
  const known = (request: Omit<InstallRequest, 'requestedAt'>, memory: HostMemory) => {
    const requests = new Map([[hostId(1), { requestedAt, ...request }]]);
    return recallInstall(
      { recallInstalls: async () => ok({ ...nothingRecalled, requests }) },
      hostId(1),
      memory,
    );
  };

  test.each<readonly [string, Omit<InstallRequest, 'requestedAt'>, HostMemory, HostMemory]>([
    ['a doubt', { state: 'in-doubt' }, {}, { antivirusInDoubtAt: time }],
    [
      'a doubt after a status refresh',
      { state: 'in-doubt', refreshedAt: '2026-11-20T13:00:00.000Z' },
      {},
      { antivirusInDoubtAt: time, antivirusRefreshedAt: time + hour },
    ],
    [
      'an accepted request',
      { state: 'accepted' },
      { antivirusInDoubtAt: time - 1 },
      { antivirusAskedAt: time },
    ],
    ['the same request', { state: 'in-doubt' }, { antivirusAskedAt: time }, { antivirusAskedAt: time }],
    [
      'an earlier request',
      { state: 'accepted' },
      { antivirusInDoubtAt: time + 1 },
      { antivirusInDoubtAt: time + 1 },
    ],
  ])(
    'is the later one of %s in the journal and of the private state',
    async (_what, request, memory, expected) => {
      expect(await known(request, memory)).toEqual(ok(expected));
    },
  );

  test("is an error if the journal can't be read", async () => {
    const unread = failed(problem('journal', 'the database does not answer'));
    expect(await recallInstall({ recallInstalls: async () => unread }, hostId(1), {})).toBe(unread);
  });
});

describe('the record of an install of rampart_host', () => {
  test('says that the service accepted it: a resource without a state requests it no second time', async () => {
    const first = await firstProcess();
    expect((await first.apply({ prior: null, planned })).state).toMatchObject({ status: 'installing' });
    const { plan, apply, writes } = await nextProcess(first, stateDir());
    expect((await plan({ config })).warnings).toEqual([]);
    const done = await apply({ prior: null, planned });
    expect(writes()).toEqual([]);
    expect(done).toMatchObject({ errors: [], warnings: [], state: { status: 'installing' } });
    expect(done.memory).toEqual({ antivirusAskedAt: expect.any(Number) });
  });

  test.each([
    [400, ['installAntivirus']],
    [500, ['refreshAntivirusStatus']],
  ])('says what the service answered: %d', async (status, calls) => {
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
    const open = unknownValue({ nullable: false });
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
