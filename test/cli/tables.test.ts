import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
  const hosts = await rampart(['hosts', ...emulated, '--format', 'csv']);
  expect(hosts.out).toContain('BER-1');

  const shrunken = await rampart(['plan', ...emulated]);
  expect(shrunken).toMatchObject({ code: 3 });
  expect(shrunken.out + shrunken.err).toContain(
    'table "asset" (assets.csv) has 1 row, and had 4 when the last run ended',
  );
  expect(await rampart(['apply', ...emulated, '--auto-approve'])).toMatchObject({ code: 3 });
});
