import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import { readCommand } from '../../../docs/read-command.ts';
import { readFences } from '../../../docs/read-page.ts';
import { workplace } from '../../../given/command-line.ts';
import { givenDesired } from '../../../given/desired.ts';
import { at, givenFleet } from '../../../given/fleet.ts';
import { richPlan } from '../../../given/report-plans.ts';
import { givenApi, type Person } from '../../server/http/given-api.ts';

const api = givenApi();

async function rampart(argv: readonly string[], as: Person = 'admin') {
  const place = await workplace();
  return place.rampart(argv, { env: { RAMPART_SERVER: api.url, RAMPART_SERVER_TOKEN: as } });
}

describe('the command line that asks a server', () => {
  test('shows the status as text and as JSON', async () => {
    const text = await rampart(['status']);
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toMatch(/^3 accounts with 10 hosts: 2 drifted, 1 not checked yet\.\n/);
    expect(text.out).toContain('  rule "kiosks": 2 hosts in 2 accounts\n');
    const json = await rampart(['status', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ accounts: 3, health: { drifted: 2 } });
  });

  test('searches the hosts of all accounts', async () => {
    const { code, out } = await rampart(['hosts', 'WEB-1', '--server']);
    expect(code).toBe(0);
    expect(out).toMatch(/berlin +101 +BER-WEB-1 +Web +offline +drifted\n/);
    const one = await rampart(['hosts', 'WEB-1', '--server', '--account', 'denver', '--json']);
    expect(JSON.parse(one.out)).toMatchObject([{ account: 'denver', host_id: '101' }]);
    expect((await rampart(['hosts', 'nobody', '--server'])).out).toBe('No host matches.\n');
  });

  test('lists the runs of the server', async () => {
    expect(await rampart(['runs', '--server'])).toMatchObject({ code: 0, out: 'There are no runs yet.\n' });
  });

  test('approves exactly the plan that was reviewed', async () => {
    const { id, checksum } = await api.propose('berlin');
    const stale = await rampart(['approve', id, '--checksum', '0'.repeat(64)], 'ada');
    expect(stale.code).toBe(7);
    expect(await rampart(['approve', id], 'ada')).toMatchObject({ code: 3 });
    const wrong = await rampart(['approve', id, '--checksum', checksum, '--ack', 'delete=1'], 'ada');
    expect(wrong).toMatchObject({ code: 6 });
    const approved = await rampart(['approve', id, '--checksum', checksum, '--comment', 'Checked.'], 'ada');
    expect(approved).toMatchObject({ code: 0, out: `Plan ${id} of berlin is approved.\n` });
    expect((await api.get(`/plans/${id}`)).body.approvals).toMatchObject([
      { via: 'cli', comment: 'Checked.' },
    ]);
  });

  test('rejects a plan with a reason, as a person who may', async () => {
    const { id, checksum } = await api.propose('denver', { plan: richPlan() });
    expect((await rampart(['reject', id, '--checksum', checksum], 'grace')).err).toContain(
      'the reason is missing',
    );
    const forbidden = await rampart(['reject', id, '--checksum', checksum, '--reason', 'No.'], 'viewer');
    expect(forbidden.code).toBe(4);
    const rejected = await rampart(['reject', id, '--checksum', checksum, '--reason', 'No.'], 'grace');
    expect(rejected).toMatchObject({ code: 0, out: `Plan ${id} of denver is rejected.\n` });
  });

  test('pauses and resumes an account, an expression and everything', async () => {
    const paused = await rampart(
      ['pause', '--account', 'berlin', '--reason', 'The office moves.'],
      'european',
    );
    expect(paused).toMatchObject({ code: 0, out: 'Paused the account berlin.\n' });
    const where = 'region == "us"';
    expect((await rampart(['pause', '--accounts', where, '--reason', 'x'])).out).toBe(
      `Paused the accounts with ${where}.\n`,
    );
    expect((await rampart(['pause', '--all', '--reason', 'x'], 'european')).code).toBe(4);
    expect((await rampart(['pause', '--reason', 'x'])).code).toBe(3);
    expect((await rampart(['resume', '--account', 'lisbon'])).err).toContain('the pauses are account:berlin');
    expect((await rampart(['resume', '--account', 'berlin'])).out).toBe('Resumed the account berlin.\n');
    expect((await rampart(['resume', '--accounts', where])).code).toBe(0);
    expect((await api.get('/pauses')).body.items).toEqual([]);
  });
});

describe('the examples of the commands that ask a server', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/commands.md'), 'utf8');
  const examples = readFences(page)
    .flatMap(({ text }) => text.trim().split('\n'))
    .filter((line) => /^rampart (status|approve|reject|pause|resume)\b/.test(line));

  test('are as many as the page has', () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
  });

  test.each(examples)('work: %s', async (example) => {
    const hosts = Array.from({ length: 200 }, (_, index) => ({ id: index + 1, name: `PC-${index + 1}` }));
    const plan = makePlan({
      desired: givenDesired(hosts.slice(0, 28).map((each) => ({ id: each.id, ensure: 'absent' as const }))),
      observed: givenFleet(hosts, {}),
      account: { companyId: '1234567890', service: 'https://remote.example.com' },
      now: at,
    });
    const { id, checksum } = await api.propose(example.includes('reject') ? 'denver' : 'lisbon', { plan });
    const argv = (readCommand(example)?.argv ?? []).map((word) =>
      word === '7d2c' ? id : /^[0-9a-f]{16}$/.test(word) ? checksum : word,
    );
    const { code, err } = await rampart(argv, /approve|reject/.test(example) ? 'ada' : 'admin');
    expect({ code, err }).toMatchObject({ code: 0 });
  });
});

describe('the token of the command line', () => {
  test('is read from a file or a variable, and shown nowhere', async () => {
    const place = await workplace();
    await place.write('token', 'admin\n');
    const env = { RAMPART_SERVER: api.url, RAMPART_SERVER_TOKEN_FILE: 'token' };
    expect((await place.rampart(['status'], { env })).code).toBe(0);
    const refused = await place.rampart(['status'], {
      env: { RAMPART_SERVER: api.url, RAMPART_SERVER_TOKEN: 'wrong-token-of-a-person' },
    });
    expect(refused.code).toBe(4);
    expect(refused.out + refused.err).not.toContain('wrong-token');
    const none = await place.rampart(['status'], { env: { RAMPART_SERVER: api.url } });
    expect(none).toMatchObject({ code: 3 });
  });

  test('is sent to no address that the environment does not name', async () => {
    const place = await workplace();
    const env = { RAMPART_SERVER_TOKEN: 'admin' };
    const unpinned = await place.rampart(['status', '--server', 'https://rampart.example.com'], { env });
    expect(unpinned).toMatchObject({ code: 6 });
    expect(unpinned.err).toContain('set RAMPART_SERVER=https://rampart.example.com');
    const plain = await place.rampart(['status', '--server', 'http://rampart.example.com'], { env });
    expect(plain.code).toBe(3);
    expect((await place.rampart(['status'], { env })).err).toContain('no server is given');
  });
});
