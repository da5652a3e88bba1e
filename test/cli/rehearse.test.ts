import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testPsk, workplace } from '../given/command-line.ts';

const seed = 'hosts:\n  - { id: 1, name: A }\n  - { id: 2, name: B }\n';
const fleet = 'version: 1\nhosts:\n  - { id: 1, name: B }\n  - { id: 2, name: A }\n';

async function planned() {
  const other = seed.replace('name: A', 'name: C');
  const place = await workplace({ 'seed.yaml': seed, 'other.yaml': other, 'fleet.yaml': fleet });
  expect(await place.rampart('plan --emulator=seed.yaml --out plan.json')).toExit(0);
  return place.rampart;
}

describe('plan rehearse', () => {
  it('takes as long as the calls do, even if the pace of the service is not known', async () => {
    const rampart = await planned();
    const minutes = async (...flags: readonly string[]) => {
      const { out } = await rampart([
        'plan',
        'rehearse',
        'plan.json',
        '--emulator=seed.yaml',
        '--json',
        ...flags,
      ]);
      return JSON.parse(out).rehearsal.without_faults.minutes as number;
    };
    expect(await minutes()).toBeLessThan(1);
    expect(await minutes('--assume-latency', '60s')).toBeGreaterThan(3);
  });

  it.each(['--emulator=other.yaml', '--observed other.json'])(
    'refuses a plan that is stale on the fleet of %s',
    async (flag) => {
      const rampart = await planned();
      expect(await rampart('hosts snapshot --emulator=other.yaml --out other.json')).toExit(0);
      expect(await rampart(`plan rehearse plan.json ${flag}`)).toMatchObject({ code: 7, out: '' });
    },
  );

  it('says which hosts it could not read', async () => {
    const rampart = await planned();
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'];
    const hosts = names.map((description, at) => ({
      id: at + 1,
      description,
      groupid: -1,
      isHostOnline: true,
    }));
    const list = {
      groups: [],
      hosts: [...hosts, { id: 10, description: 7, groupid: -1, isHostOnline: true }],
    };
    const server = createServer((_, answer) => void answer.end(JSON.stringify(list)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const env = {
      RAMPART_BASE_URL: `http://127.0.0.1:${port}`,
      RAMPART_COMPANY_ID: '1',
      RAMPART_PSK: testPsk,
    };
    const { err } = await rampart('plan rehearse plan.json', { env });
    expect(err).toMatch(/host 10 .*can't be read/);
  });
});
