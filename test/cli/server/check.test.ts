import { describe, expect, it } from 'vitest';
import '../../tiers/uses-a-system.ts';
import type { Environment } from '../../../src/core/lib/surroundings.ts';
import { workplace } from '../../given/command-line.ts';

const account = "accounts: { berlin: { companyId: '1', baseUrl: https://remote.example.com } }\n";

async function check(server = '', env: Environment = {}, ...flags: readonly string[]) {
  const place = await workplace({ 'rampart.config.yaml': `${account}${server}` });
  return place.rampart(['server', '--check', ...flags], { env: { PATH: process.env['PATH'], ...env } });
}

const slack = (from: string) => `server: { notifications: { name: ops, kind: slack, ${from} } }\n`;

describe('rampart server --check', () => {
  it('prints what would run, and starts nothing', async () => {
    const { code, out, err } = await check();
    expect(code).toBe(0);
    expect(err).toMatch(/the account "berlin" has no key, so its checks fail[^]*rampart\.config\.yaml:1/);
    expect(out).toContain('Accounts: 1, each checked every 10 minutes.');
    expect(out).toContain('Listens on 127.0.0.1:8080; people sign in with a link on this machine.');
  });

  it('reports the parts that are switched off', async () => {
    const { code, out } = await check('', {}, '--no-http', '--no-worker');
    expect(code).toBe(0);
    expect(out).toContain('Without HTTP: no API and no console.\n');
    expect(out).toContain('Without worker: another process must execute checks and runs.\n');
    expect(out).not.toContain('Listens on');
  });

  it('lists the windows, freezes and pipelines of the server', async () => {
    const server = `server:
  windows: [{ name: never, only: 'Mon 00:00-00:01 UTC' }]
  freezes: [{ name: past, until: 2020-01-01T00:00:00Z }, { name: always, from: 2020-01-01T00:00:00Z }, { name: far, from: 2999-01-01T00:00:00Z }]
  pipelines: { issuer: https://ci.example.com, audience: rampart, claims: { project_id: [1, 2] }, role: planner }\n`;
    expect(await check(server)).toExit(0, {
      out: [
        /^Change windows: never \(closed until 2026-11-23T00:00:00(?:\.000)?Z\)\.$/m,
        /^Freezes: past \(over\), always \(active\), far \(from 2999-01-01T00:00:00(?:\.000)?Z\)\.$/m,
        'Pipelines: https://ci.example.com (planner with project_id 1 or 2).\n',
      ],
    });
    expect(JSON.parse((await check(server, {}, '--json')).out)).toMatchObject({
      windows: ['never'],
      freezes: ['past', 'always', 'far'],
      pipelines: ['https://ci.example.com'],
    });
  });

  it('warns about settings that work differently than expected', async () => {
    expect(
      await check(`server:
  metrics: { label: regoin }
  notifications: { name: ops, kind: email, from: a@example.com, to: b@example.com, smtp: { host: mail.example.com, security: none } }\n`),
    ).toExit(
      0,
      /no account has the label "regoin" of "metrics"[^]*rampart\.config\.yaml:3/,
      /only if mail\.example\.com is this machine[^]*rampart\.config\.yaml:4/,
    );
  });

  it('warns if nobody can give the approvals that plans need', async () => {
    const reviewers = 'reviewers: { id: ada, name: Ada, email: ada@example.com, github: ada }';
    const warned = '2 people must approve plans, but without "login" only one can sign in';
    expect((await check('server: { approvals: { required: 2 } }\n')).err).toContain(warned);
    for (const server of [`approvals: { required: 2 }, ${reviewers}`, 'approvals: { required: 1 }'])
      expect((await check(`server: { ${server} }\n`)).err).not.toContain('must approve plans');
  });

  it.each([
    ['chat', 'the address is not a URL'],
    ['https://ada:word@chat.example.com/T01B02', 'the address is not a URL without a user name'],
    ['http://chat.example.com/T01B02', 'http://chat.example.com is refused: it is not encrypted'],
    ['https://10.0.0.7/T01B02', '10.0.0.7 is refused'],
  ])('reports that messages could not be sent to the address %s', async (address, words) => {
    const { code, err } = await check(slack('urlVariable: RAMPART_OPS_URL'), { RAMPART_OPS_URL: address });
    expect(code).not.toBe(0);
    expect(err).toContain(`the address of the notification "ops": ${words}`);
    expect(err).toContain('rampart.config.yaml:2');
    expect(err).not.toMatch(/T01B02|ada:word/);
  });

  const noFolder = /the folder of the source "lab" does not exist[^]*rampart\.config\.yaml:2/;
  it.each<[what: string, server: string, told: RegExp, env?: Environment]>([
    [
      'a missing secret',
      slack('urlFile: secrets/ops'),
      /^(?![^]*ENOENT)[^]*"ops": the file secrets\/ops does not exist[^]*rampart\.config\.yaml:2/,
    ],
    [
      'that Git is missing',
      'server: { sources: { name: fleet, git: https://git.example.com/x } }\n',
      /Git can't be started[^]*rampart\.config\.yaml:2[^]*install Git 2\.37/,
      { PATH: '/nowhere' },
    ],
    ['a missing folder', 'server: { sources: { name: lab, folder: lba } }\n', noFolder],
    ['a file for a folder', 'server: { sources: { name: lab, folder: rampart.config.yaml } }\n', noFolder],
  ])('reports %s at the place that refers to it, and exits with 3', async (_, server, told, env) =>
    expect(await check(server, env)).toExit(3, told),
  );

  it('reports a folder for the embedded database that it could not write', async () => {
    const { code, err } = await check('server: { data: rampart.config.yaml/data }\n');
    expect(code).not.toBe(0);
    expect(err).toMatch(/the folder of the embedded database can't be written[^]*RAMPART_SERVER_DATA/);
  });

  it('reports an unavailable database, without its password', async () => {
    const { code, err } = await check('', {
      RAMPART_STATE_URL: 'postgresql://rampart:correct-horse@127.0.0.1:1/rampart',
    });
    expect(code).not.toBe(0);
    expect(err).toContain('127.0.0.1:1');
    expect(err).not.toContain('correct-horse');
  });
});

describe('rampart server', () => {
  it('requires a shared database for a worker', async () => {
    const place = await workplace({ 'rampart.config.yaml': account });
    expect(await place.rampart('server worker')).toExit(3, 'a worker needs a PostgreSQL database');
  });

  it('explains where to begin in a folder without rampart.config.yaml', async () =>
    expect(await (await workplace()).rampart(['server'])).toExit(3, 'rampart server --emulator'));
});
