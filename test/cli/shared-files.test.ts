import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';

const config = `defaults: { baseUrl: 'https://a.example' }
accounts:
  berlin: { companyId: 1234567890, files: [shared] }
  lisbon: { companyId: 1234567891, files: [shared/all.yaml, own.yaml] }
`;
const shared = `version: 1
hosts: [{ name: ONE }]
rules: [{ name: all, when: 'host.id != 1', rename: 'X-\${host.id}' }]
`;
const seed = (name: string) => `companyId: 1234567890
hosts: [{ id: 1, name: ONE }, { id: 2, name: ${name} }]
`;

async function given() {
  const place = await workplace({ 'rampart.config.yaml': config });
  await mkdir(join(place.folder, 'shared'));
  await place.write('shared/all.yaml', shared);
  await place.write('own.yaml', 'version: 1\nhosts: []\n');
  await place.write('before.yaml', seed('X-2'));
  await place.write('seed.yaml', seed('HAND'));
  const run = (account: string, ...words: readonly string[]) =>
    place.rampart([...words, '--account', account, '--emulator=seed.yaml', '--dry-run']);
  await place.rampart('hosts snapshot --emulator=before.yaml --out before.json');
  return run;
}

describe('a file of several accounts gets nothing that only one of them has', () => {
  it('as an entry of a new host', async () => {
    const run = await given();
    expect(await run('berlin', 'import', 'new')).toMatchObject({
      code: 3,
      err: expect.stringContaining(
        'no file can get the hosts: each is a script, or other accounts have it too',
      ),
    });
    expect((await run('lisbon', 'import', 'new')).out).toContain('+++ own.yaml');
    expect((await run('lisbon', 'import', 'new', '--into', 'shared/all.yaml')).code).toBe(3);
  });

  it('as the id of a host', async () => {
    const ran = await (await given())('berlin', 'import', 'ids');
    expect(ran.out).toBe('');
    expect(ran.err).toContain('not into files that other accounts have too');
  });

  it('as an entry that overrides a rule', async () => {
    const run = await given();
    const adopted = (account: string) => run(account, 'import', 'drift', '2', '--since', 'before.json');
    const refused = await adopted('berlin');
    expect(refused.out).not.toContain('HAND');
    expect(refused.err).toContain('every file is a script or serves other accounts too');
    expect((await adopted('lisbon')).out).toContain('+++ own.yaml');
  });
});
