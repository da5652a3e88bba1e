import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkout } from '../given/action-step.ts';
import { givenService, testPsk } from '../given/command-line.ts';
import { githubStandIn } from '../given/github-stand-in.ts';

const hosts = [{ id: '1', name: 'one' }];
const bases = ['c3d0be41ecbe669545ee3e94d31ed9a4bc91ee3c', '6dcb09b5b57875f334f61aebed695e2e4193db5e'];

const account = (baseUrl: string) =>
  `accounts: { berlin: { baseUrl: '${baseUrl}', companyId: 1234567890, key: { variable: BERLIN_PSK } } }\n`;

/** A checkout whose default branch names one service, and whose change names another. */
async function given() {
  const place = await checkout(await githubStandIn());
  const { emulator, env } = await givenService({ hosts });
  const attacker = await givenService({ hosts });
  const { git } = place;
  git('init', '--quiet', '--initial-branch=main');
  await place.write('rampart.config.yaml', account(env['RAMPART_BASE_URL'] ?? ''));
  await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: ONE }]\n');
  git('add', 'rampart.config.yaml', 'fleet.yaml');
  git('commit', '--quiet', '--message', 'reviewed');
  const reviewed = git('rev-parse', 'HEAD');
  git('remote', 'add', 'origin', place.folder);
  git('checkout', '--quiet', '-b', 'change');
  await place.write('rampart.config.yaml', account(attacker.env['RAMPART_BASE_URL'] ?? ''));
  git('commit', '--quiet', '--all', '--message', 'change');
  const step = (event: string, options: Partial<Parameters<typeof place.step>[0]> = {}) =>
    place.step({
      event,
      env: { BERLIN_PSK: testPsk, GITHUB_SHA: reviewed },
      inputs: { account: 'berlin', base: 'off', 'comment-when': 'changes' },
      change: (payload) => bases.reduce((text, base) => text.replaceAll(base, reviewed), payload),
      ...options,
    });
  return { place, emulator, attacker: attacker.emulator, step, git };
}

describe('rampart.config.yaml is read from the commit that was reviewed', () => {
  it('by every event, of the default branch if the event is about another one', async () => {
    const { step, emulator, attacker, git } = await given();
    const change = git('rev-parse', 'HEAD');
    const events: readonly (readonly [
      event: string,
      eventName?: string | undefined,
      from?: string,
      to?: string,
    ])[] = [
      ['pull_request'],
      ['pull_request.fork'],
      ['pull_request.merged'],
      ['merge_group'],
      ['push'],
      ['pull_request.fork', 'pull_request_target'],
      ['workflow_dispatch', 'workflow_run'],
      ['workflow_dispatch', 'issue_comment'],
      ['workflow_dispatch'],
      ['schedule'],
      ['pull_request', undefined, '"ref": "main"', '"ref": "release"'],
      ['push', undefined, '"ref": "refs/heads/main"', '"ref": "refs/heads/x"'],
      ['workflow_dispatch', undefined, 'refs/heads/main', 'refs/heads/x'],
    ];
    for (const [event, eventName, from, to = ''] of events) {
      // What an earlier step has fetched is the change.
      git('fetch', '--quiet', 'origin', 'change');
      const before = emulator.requests.length;
      const elsewhere = {
        change: (payload: string) =>
          bases.reduce((text, base) => text.replaceAll(base, change), payload.replaceAll(from ?? '', to)),
      };
      const ended = await step(event, {
        ...(eventName === undefined ? {} : { eventName }),
        ...(from === undefined ? {} : elsewhere),
      });
      expect({ event, eventName, to, code: ended.code, log: ended.log }).toMatchObject({ code: 0 });
      expect(emulator.requests.length, event).toBeGreaterThan(before);
    }
    expect(attacker.requests).toEqual([]);
  });

  it("and no account can be chosen if that commit can't be read", async () => {
    const { step, attacker, git } = await given();
    git('remote', 'remove', 'origin');
    git('branch', '--quiet', '-D', 'main');
    const ended = await step('workflow_dispatch', {
      change: (payload) => payload.replace('heads/main', 'heads/x'),
    });
    expect(ended.code).toBe(3);
    expect(ended.log).toContain('fetch-depth: 0');
    expect(attacker.requests).toEqual([]);
  });
});

describe('an event that can carry code of strangers', () => {
  const script = 'export default { version: 1, hosts: [{ id: 1, name: "ONE" }] };\n';

  it.each([
    ['pull_request.fork', 'pull_request_target'],
    ['pull_request', 'pull_request_target'],
    ['workflow_dispatch', 'workflow_run'],
    ['workflow_dispatch', 'issue_comment'],
    ['workflow_dispatch', 'telepathy'],
  ])('runs no programs and applies nothing: %s as %s', async (event, eventName) => {
    const place = await checkout(await githubStandIn());
    const { env, emulator } = await givenService({ hosts });
    await place.write('fleet.ts', script);
    const ended = await place.step({ event, eventName, env });
    expect(ended.code).toBe(6);
    expect(ended.annotations).toEqual([
      expect.objectContaining({ title: 'Rampart: not-approved', file: 'fleet.ts' }),
    ]);
    await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: ONE }]\n');
    const inputs = { mode: 'apply', checksum: 'a'.repeat(64), files: 'fleet.yaml' };
    expect((await place.step({ event, eventName, env, inputs })).code).toBe(6);
    expect(emulator.requests).toEqual([]);
    const trusted = { 'trust-forks': 'true', files: 'fleet.ts', 'comment-when': 'changes' };
    expect((await place.step({ event, eventName, env, inputs: trusted })).code).toBe(0);
  });
});

it('the runner and the step mask a key that a command prints as soon as it is read', async () => {
  const { place, emulator, step, git } = await given();
  const [half, rest] = [testPsk.slice(0, 60), testPsk.slice(60)];
  git('checkout', '--quiet', 'main');
  const config = (await readFile(join(place.folder, 'rampart.config.yaml'), 'utf8')).replace(
    '{ variable: BERLIN_PSK }',
    `{ command: ['${process.execPath}', key.cjs] }`,
  );
  await place.write('rampart.config.yaml', config);
  await place.write('key.cjs', `console.log('${half}' + '${rest}')\n`);
  git('add', 'key.cjs', 'rampart.config.yaml');
  git('commit', '--quiet', '--message', 'command');
  const commit = git('rev-parse', 'HEAD');
  const ended = await step('workflow_dispatch', {
    env: { RAMPART_ALLOW_KEY_COMMANDS: '1', GITHUB_SHA: commit },
  });
  expect(ended.code, ended.log).toBe(0);
  expect(emulator.requests).not.toEqual([]);
  expect(ended.masks).toContain(testPsk);
  expect(`${ended.log}${ended.summary}${JSON.stringify(ended.outputs)}`).not.toContain(half);
});
