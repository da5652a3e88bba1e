import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assetServer } from '../given/asset-server.ts';
import { workplace } from '../given/command-line.ts';

const seed = `companyId: 1
hosts:
  - { id: 1, name: DESKTOP-1 }
  - { id: 2, name: DESKTOP-2 }
`;
const fleet = `version: 1
tables:
  - { name: asset, file: assets.csv, key: Host, join: string(host.id) }
rules:
  - { name: names, when: "true", rename: "\${asset.Name}" }
`;

it('refuses a table that lost rows since the run before, and applies a saved plan without reading it again', async () => {
  const { folder, rampart } = await workplace();
  const emulated = ['--emulator=seed.yaml', '--emulator-state', 'fleet.state'];
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  await write('seed.yaml', seed);
  await write('fleet.yaml', fleet);
  await write('assets.csv', 'Host,Name\n1,BER-1\n2,BER-2\n3,BER-3\n4,BER-4\n');
  expect(await rampart(['plan', ...emulated, '--out', 'plan.json'])).toMatchObject({ code: 0 });
  const saved = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as { readonly tables: unknown };
  expect(saved.tables).toMatchObject([{ name: 'asset', origin: 'assets.csv', rows: 4, named: 2 }]);

  await write('assets.csv', 'Host,Name\n1,OTHER-1\n');
  expect(await rampart(['apply', 'plan.json', ...emulated])).toMatchObject({ code: 0 });
  expect((await rampart(['hosts', ...emulated, '--format', 'csv'])).out).toContain('BER-1');

  const shrunken = await rampart(['plan', ...emulated]);
  expect(shrunken).toExit(3);
  expect(shrunken.out + shrunken.err).toContain(
    'table "asset" (assets.csv) has 1 row, and had 4 when the last run ended',
  );
  expect(await rampart(['apply', ...emulated, '--auto-approve'])).toMatchObject({ code: 3 });
});

it('names hosts after a register over HTTP, whose secret it never prints', async () => {
  const { write, rampart } = await workplace();
  const register = await assetServer((_, { headers }) =>
    headers.authorization === 'Bearer s3cret'
      ? { body: { total: 1, rows: [{ host: 1, name: 'BER-1' }] } }
      : { status: 401 },
  );
  await write('seed.yaml', seed);
  await write(
    'fleet.yaml',
    fleet
      .replace('file: assets.csv, key: Host', 'source: cmdb, preset: snipe-it, key: host')
      .replace('Name', 'name'),
  );
  const plan = (secret: string, words: readonly string[] = ['plan']) =>
    rampart([...words, '--emulator=seed.yaml'], {
      env: {
        RAMPART_SOURCE_CMDB_URL: register.url,
        RAMPART_SOURCE_CMDB_HEADER: `Authorization: Bearer ${secret}`,
      },
    });
  const planned = await plan('s3cret');
  expect(await plan('s3cret', ['import', 'new', '--dry-run'])).toMatchObject({ code: 0 });
  expect(planned).toMatchObject({ code: 0, out: expect.stringContaining('BER-1') });
  expect(planned.out + planned.err).not.toContain('s3cret');
  const refused = await plan('wr0ng');
  expect(refused).toExit(3, 'refuses the credentials (401)');
  expect(refused.out + refused.err).not.toContain('wr0ng');
});

describe('rampart coverage', () => {
  const emulated = ['--emulator=seed.yaml'];
  async function given(rows: string) {
    const place = await workplace({ 'seed.yaml': seed });
    await place.write('fleet.yaml', fleet.slice(0, fleet.indexOf('rules:')));
    await place.write('assets.csv', `Host,Name,Site\n${rows}`);
    return (words: readonly string[]) => place.rampart(['coverage', ...emulated, ...words]);
  }

  it.each<[string, readonly string[], number, RegExp]>([
    ['text', [], 0, /^asset from assets.csv: 1 of 2 assets have a host; the fleet has 2 hosts/],
    ['text by a column', ['--by', 'Site'], 0, /^Wien +1 +0 +1 +0$/m],
    ['CSV', ['--format', 'csv'], 0, /^asset,asset-without-host,9,,,,,assets.csv,3$/m],
    ['NDJSON', ['--format', 'ndjson'], 0, /^\{"table":"asset","gap":"asset-without-host","key":"9"/],
    ['JSON', ['--json'], 0, /"host-without-asset": 1,/],
    ['Markdown', ['--format', 'markdown'], 0, /<summary>1 asset without a host<\/summary>/],
    ['an exit code of its own', ['--detailed-exitcode'], 2, /1 host without an asset/],
  ])('prints %s', async (_, words, code, out) => {
    const coverage = await given('1,BER-1,Berlin\n9,VIE-9,Wien\n');
    expect(await coverage(words)).toMatchObject({ code, out: expect.stringMatching(out) });
  });

  it.each<[string, readonly string[], string, RegExp]>([
    ['a missing column', ['--by', 'Sit'], '1,BER-1,Berlin\n', /no column "Sit"\s+= did you mean "Site"/],
    ['a missing table', ['--table', 'assets'], '1,a,b\n', /no table "assets"\s+= its tables are "asset"/],
    ['a table without rows', [], '', /table "asset" \(assets.csv\) has no rows/],
  ])('refuses %s', async (_, words, rows, err) => {
    const coverage = await given(rows);
    expect(await coverage(words)).toMatchObject({ code: 3, out: '', err: expect.stringMatching(err) });
  });

  it('refuses a desired state without tables', async () => {
    const { rampart } = await workplace({ 'fleet.yaml': 'version: 1\nhosts: []\n' });
    expect(await rampart('coverage --emulator')).toExit(3, 'fleet.yaml declares no table');
  });
});
