import '../tiers/uses-a-system.ts';
import { describe, expect, it } from 'vitest';
import { testPsk, workplace } from '../given/command-line.ts';

const seed = 'companyId: 5\nhosts:\n  - { id: 17, name: OLD }\n';

describe('validate', () => {
  it('ends with 3, a row and a column when a table is wrong', async () => {
    const { rampart, write } = await workplace({ 'fleet.yaml': 'version: 1\nhostsFrom: hosts.csv\n' });
    await write('hosts.csv', 'id;name\r\n1,2E+15;A\r\n');
    expect(await rampart('validate')).toExit(3, '--> hosts.csv:2:1 (row 2, column "id")');
    const { out } = await rampart('validate --json');
    expect(JSON.parse(out)).toMatchObject({
      problems: [{ file: 'hosts.csv', line: 2, col: 1, part: 'row 2, column "id"' }],
    });
  });

  it('keeps what a script prints away from its own data, and harmless', async () => {
    const { rampart, write } = await workplace();
    await write('fleet.ts', 'console.log("\\u001b[2Jhello"); export default { hosts: [] };\n');
    const { code, out, err } = await rampart('validate --json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ problems: [] });
    expect(err).toBe('␛[2Jhello\n');
  });

  it('hands no credentials to a script', async () => {
    const { rampart, write } = await workplace();
    await write('fleet.ts', 'throw new Error(typeof process === "undefined" ? "nothing" : "something");\n');
    const env = { RAMPART_PSK: testPsk, RAMPART_COMPANY_ID: '5', RAMPART_BASE_URL: 'https://x.example' };
    expect((await rampart('validate', { env })).err).toContain('the script throws: nothing\n');
  });
});

it('plan points at the line that made an entry', async () => {
  const { rampart, write } = await workplace({ 'seed.yaml': seed });
  await write(
    'fleet.ts',
    "import { defineFleet, host } from 'rampart';\n\nexport default defineFleet({\n  hosts: [host({ id: 17, group: 'Berln' })],\n});\n",
  );
  expect(await rampart('plan --emulator=seed.yaml')).toExit(3, { out: 'fleet.ts:4:11 (hosts[0].group)' });
});

it('plan leaves a host alone whose name is not the one in its row', async () => {
  const { rampart, write } = await workplace({ 'seed.yaml': seed });
  await write('fleet.yaml', 'version: 1\nhostsFrom: hosts.csv\n');
  await write('hosts.csv', 'id,current,name\n17,OTHER,NEW\n');
  const { code, out } = await rampart('plan --emulator=seed.yaml --json');
  expect(code).toBe(3);
  expect(JSON.parse(out)).toMatchObject({ steps: [], problems: [{ code: 'name-differs' }] });
  await write('hosts.csv', 'id,current,name\n17,OLD,NEW\n');
  expect((await rampart('plan --emulator=seed.yaml --detailed-exitcode')).code).toBe(2);
});
