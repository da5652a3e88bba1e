import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostParts } from '../../src/service/emulator/fleet-state.ts';
import { connected, givenService, testPsk, workplace } from '../given/command-line.ts';

const big = '9007199254740993';

const hosts: readonly HostParts[] = [
  ...Array.from({ length: 120 }, (_, index) => ({
    id: String(1000 + index),
    name: `PC-${index}`,
    inventory: {
      hardware: { serviceTag: `ST${index}`, hardwareInfo: { model: 'R740', assetTag: '' } },
      system: { externalIp: '198.51.100.7' },
    },
  })),
  {
    id: big,
    name: '=cmd|calc',
    inventory: {
      hardware: {
        serviceTag: '@SUM(1)\r\n"x",y',
        processors: [{ speed: '3100' }, { speed: '2800' }],
        motherboard: { id: '9223372036854775807' },
      },
      system: { externalIp: ['-1', '\u202e7'] },
    },
  },
  { id: '7', name: 'NOTHING' },
];

describe('inventory pull', () => {
  it('fetches all hosts over a socket, and reports the result', async () => {
    const { rampart, emulator } = await connected({ hosts });
    const { code, out, err } = await rampart('hosts inventory pull');
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        'INVENTORY  FETCHED  WITHOUT  FRESH  LEFT  REPORTS',
        'hardware   121      1        0      0     1',
        'system     121      1        0      0     1',
        '',
      ].join('\n'),
    });
    expect(err.split('\n')).toEqual(
      expect.arrayContaining(['hardware: 122 hosts to fetch', 'system: 122 of 122 (1 without inventory)']),
    );
    const made = emulator.requests.filter(({ action }) => action === 'createHardwareReport');
    expect(made).toHaveLength(1);
    expect(made[0]?.body).toContain(big);
  });

  it('asks nothing again that is fresh', async () => {
    const { rampart, emulator } = await connected({ hosts });
    await rampart('hosts inventory pull --hardware');
    const requests = emulator.requests.length;
    const { out } = await rampart('hosts inventory pull --hardware --json');
    expect(JSON.parse(out)).toEqual([
      { kind: 'hardware', asked: 0, fetched: 0, without: 0, fresh: 122, left: 0, reports: 0, refused: [] },
    ]);
    expect(emulator.requests.slice(requests).map(({ action }) => action)).toEqual(['listHosts']);
  });

  it('takes hosts by name or id, and fields in any letter case', async () => {
    const { rampart, emulator } = await connected({ hosts });
    const flags = ['--host', 'PC-3', '--host', big, '--fields', 'servicetag, ExternalIP'];
    expect((await rampart(['hosts', 'inventory', 'pull', ...flags])).code).toBe(0);
    const bodies = emulator.requests.flatMap(({ method, body }) => (method === 'POST' ? [body] : []));
    expect(bodies.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      `{"hostIds":[1003,${big}],"fields":["ExternalIp"]}`,
      `{"hostIds":[1003,${big}],"fields":["ServiceTag"]}`,
    ]);
  });

  it.each([
    [['--fields', 'ServiceTg'], 'did you mean "ServiceTag"?'],
    [['--host', 'PC-999'], 'no host has the name "PC-999"'],
    [['--system', '--fields', 'ServiceTag'], 'the system inventory has no field "ServiceTag"'],
    [['--max-inventory-age', 'soon'], 'It must be a time'],
  ])('refuses %j', async (flags, message) => {
    const { rampart, emulator } = await connected({ hosts });
    expect(await rampart(['hosts', 'inventory', 'pull', ...flags])).toExit(3, message, { out: '' });
    expect(emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('works if read-only mode allows reports, and nothing else does', async () => {
    const { rampart } = await workplace();
    const { env } = await givenService({ hosts });
    const reports = { env: { ...env, RAMPART_READ_ONLY: 'reports' } };
    expect((await rampart('hosts inventory pull', reports)).code).toBe(0);
    expect((await rampart('hosts antivirus refresh --where true', reports)).code).toBe(6);
  });

  it('prints its events as NDJSON, one per line', async () => {
    const { rampart } = await connected({ hosts });
    const { out, err } = await rampart('hosts inventory pull --hardware --format ndjson');
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.map(({ type }) => type)).toEqual('started report page page page ended summary'.split(' '));
    expect(err).toBe('');
  });

  it('exits 5 when it may make no more reports', async () => {
    const { rampart } = await connected({ hosts }, { switches: { reportHosts: '50-in-all' } });
    const ran = await rampart('hosts inventory pull --hardware --max-reports 1');
    expect(ran.code).toBe(5);
    expect(ran.out).toMatch(/^hardware +50 +0 +0 +72 +1$/m);
    expect(ran.err).toContain('continue with: rampart hosts inventory pull');
  });

  it('exits 130 when it is interrupted, and keeps what has arrived', async () => {
    const place = await workplace();
    const { env } = await givenService(
      { hosts: hosts.filter(({ inventory }) => inventory !== undefined) },
      {
        clock: place.clock,
        hooks: {
          afterEach: ({ action, nth }) => {
            if (action === 'readHardwareReport' && nth === 2) place.interrupt();
          },
        },
      },
    );
    const ran = await place.rampart('hosts inventory pull --hardware', { env });
    expect(ran).toMatchObject({ code: 130, err: expect.stringContaining('Stopping at a safe point') });
    const again = await place.rampart('hosts inventory pull --hardware --json', { env });
    expect(JSON.parse(again.out)).toMatchObject([{ fresh: 100, asked: 21, left: 0 }]);
  });

  it('exits 4 with wrong credentials, and keeps no secret', async () => {
    const { rampart, folder } = await connected({ hosts });
    expect(await rampart('hosts inventory pull', { env: { RAMPART_PSK: `${testPsk}x` } })).toExit(4);
    await rampart('hosts inventory pull');
    for (const name of await readdir(join(folder, '.rampart'))) {
      expect(await readFile(join(folder, '.rampart', name), 'latin1')).not.toContain(testPsk);
    }
  });
});

describe('inventory status', () => {
  it('says what is cached and how old it is, and sends nothing', async () => {
    const { rampart, emulator } = await connected({ hosts });
    await rampart('hosts inventory pull --hardware --fields ServiceTag');
    const requests = emulator.requests.length;
    const { out } = await rampart('hosts inventory status');
    expect(out).toMatch(/^hardware +121 +1 +0 +less than a minute +less than a minute +ServiceTag$/m);
    expect(out).toMatch(/^system +0 +0 +122 +- +- +-$/m);
    const { out: json } = await rampart('hosts inventory --json');
    expect(JSON.parse(json)[0]).toMatchObject({ kind: 'hardware', hosts: 121, without: 1, not_asked: 0 });
    expect(emulator.requests).toHaveLength(requests);
  });

  it('says which command to run if nothing is cached', async () => {
    const { rampart } = await workplace();
    const ran = await rampart('hosts inventory status --emulator');
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('rampart hosts inventory pull') });
  });

  it('names a damaged cache and the way out', async () => {
    const { rampart, folder } = await connected({ hosts });
    await rampart('hosts inventory pull');
    const [name = ''] = await readdir(join(folder, '.rampart'));
    await writeFile(join(folder, '.rampart', name), 'x'.repeat(2000));
    for (const command of ['status', 'export', 'pull']) {
      const ran = await rampart(['hosts', 'inventory', command]);
      expect(ran.code).toBe(1);
      expect(ran.err).toMatch(/delete .*\.sqlite, then run: rampart hosts inventory pull/);
    }
  });
});

describe('inventory show', () => {
  it('shows all known values of a host, by name or id, safe for a terminal', async () => {
    const { rampart } = await connected({ hosts });
    await rampart('hosts inventory pull');
    const byId = await rampart(['hosts', 'inventory', 'show', big]);
    expect(byId.out).toBe((await rampart('hosts inventory show =cmd|calc')).out);
    expect(byId.out).toContain(`=cmd|calc  ${big}\n`);
    expect(byId.out).toMatch(/serviceTag +@SUM\(1\)␍␊"x",y/);
    expect(byId.out).toMatch(/processors\[1\]\.speed +2800/);
    expect(byId.out).toMatch(/motherboard\.id +9223372036854775807/);
    expect(byId.out).not.toContain('\u202e');
    const json = await rampart(['hosts', 'inventory', 'show', big, '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      id: big,
      name: '=cmd|calc',
      hardware: { fields: null, record: { hostId: big, motherboard: { id: '9223372036854775807' } } },
    });
  });

  it('distinguishes a host without inventory from one that was not asked, and from none at all', async () => {
    const { rampart } = await connected({ hosts });
    expect(await rampart('hosts inventory show PC-1')).toMatchObject({ code: 3, out: '' });
    await rampart('hosts inventory pull --hardware --host NOTHING');
    expect((await rampart('hosts inventory show NOTHING')).out).toContain('the host has none');
    const unasked = await rampart('hosts inventory show PC-1');
    expect(unasked).toMatchObject({ code: 3, out: '' });
    expect(unasked.err).toContain('rampart hosts inventory pull --host 1001');
    expect((await rampart('hosts inventory show PC-1x')).err).toContain('did you mean "PC-1"');
  });
});

describe('inventory export', () => {
  it('is a row a host as CSV, in which no cell is a formula or another row', async () => {
    const { rampart } = await connected({ hosts });
    await rampart('hosts inventory pull');
    const { out } = await rampart('hosts inventory export --format csv');
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(1 + 122);
    expect(lines[0]?.split(',').slice(0, 5)).toEqual([
      'id',
      'name',
      'hardware.fetchedAt',
      'hardware.hardwareInfo.assetTag',
      'hardware.hardwareInfo.model',
    ]);
    const hostile = lines.find((line) => line.startsWith(big));
    expect(hostile).toContain(`${big},'=cmd|calc,`);
    expect(hostile).toContain(`"'@SUM(1)␍␊""x"",y"`);
    expect(hostile).toContain('"3100; 2800"');
    expect(hostile).toContain("'-1; ‹U+202E›7");
    expect(lines.find((line) => line.startsWith('7,'))).toMatch(/^7,NOTHING,2026-[^,]*,*2026-[^,]*,*$/);
  });

  it('is JSON or NDJSON with the records as the service gave them', async () => {
    const { rampart } = await connected({ hosts });
    await rampart('hosts inventory pull');
    const json = await rampart('hosts inventory export --json --kind hardware');
    const documents = JSON.parse(json.out) as {
      id: string;
      hardware: { record: unknown };
      system?: unknown;
    }[];
    expect(documents.at(-1)).toMatchObject({
      id: big,
      hardware: { record: { serviceTag: '@SUM(1)\r\n"x",y' } },
    });
    expect(documents.at(-1)).not.toHaveProperty('system');
    expect(documents[0]).toMatchObject({ id: '7', hardware: { record: null } });
    const lines = await rampart('hosts inventory export --format ndjson --kind hardware');
    expect(
      lines.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(documents);
    expect(lines.out).not.toContain('\u202e');
  });

  it('of nothing is a problem with the command to run', async () => {
    const { rampart } = await workplace();
    const ran = await rampart('hosts inventory export --emulator');
    expect(ran).toMatchObject({ code: 3, out: '' });
    expect(ran.err).toContain('rampart hosts inventory pull');
  });
});

it('inventory fields lists what the service has', async () => {
  const { rampart } = await workplace();
  const text = await rampart('hosts inventory fields --emulator --kind hardware');
  expect(text.out).toMatch(/^hardware\n {2}BatteryName\n/);
  const { out } = await rampart('hosts inventory fields --emulator --json');
  const lists = JSON.parse(out) as Record<string, string[]>;
  expect(Object.keys(lists)).toEqual(['hardware', 'system']);
  expect(lists['system']).toContain('ExternalIp');
});
