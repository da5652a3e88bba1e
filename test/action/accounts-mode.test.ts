import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkout } from '../given/action-step.ts';
import { givenService, testPsk } from '../given/command-line.ts';
import { githubStandIn } from '../given/github-stand-in.ts';

const bases = ['c3d0be41ecbe669545ee3e94d31ed9a4bc91ee3c', '6dcb09b5b57875f334f61aebed695e2e4193db5e'];
const lisbonKey = `lisbon+${'Qq7/'.repeat(30)}`;
const empty = 'version: 1\nhosts: []\n';

/** Two accounts on the base branch, and a change of the files given. */
async function given(changed: Readonly<Record<string, string>>) {
  const github = await githubStandIn();
  const place = await checkout(github);
  const { emulator, env } = await givenService({ hosts: [{ id: '1', name: 'one' }] });
  const { git } = place;
  git('init', '--quiet', '--initial-branch=main');
  await place.write(
    'rampart.config.yaml',
    `defaults: { baseUrl: '${env['RAMPART_BASE_URL']}' }
accounts:
  berlin: { companyId: 1234567890, key: { variable: BERLIN_PSK }, files: [berlin.yaml] }
  lisbon: { companyId: 7, key: { variable: LISBON_PSK }, files: [lisbon.yaml] }
`,
  );
  await place.write('berlin.yaml', empty);
  await place.write('lisbon.yaml', empty);
  git('add', '.');
  git('commit', '--quiet', '--message', 'reviewed');
  const reviewed = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', '-b', 'change');
  for (const [name, text] of Object.entries(changed)) await place.write(name, text);
  git('add', '.');
  git('commit', '--quiet', '--message', 'change', '--allow-empty');
  const step = (inputs: Readonly<Record<string, string>> = { accounts: 'true' }) =>
    place.step({
      event: 'pull_request',
      env: { BERLIN_PSK: testPsk, LISBON_PSK: lisbonKey, GITHUB_SHA: reviewed },
      inputs,
      change: (payload) => bases.reduce((text, base) => text.replaceAll(base, reviewed), payload),
    });
  return { github, emulator, step };
}

const rename = 'version: 1\nhosts: [{ id: 1, name: ONE }]\n';

describe('the input accounts', () => {
  it('plans only the account that the pull request touches, and its comment says why', async () => {
    const { github, emulator, step } = await given({ 'berlin.yaml': rename });
    const { code, log, outputs } = await step();
    expect({ code, log }).toMatchObject({ code: 0 });
    expect(outputs['exit-code']).toBe('2');
    expect(emulator.requests.every(({ status }) => status === 200)).toBe(true);
    expect(github.comments).toHaveLength(1);
    const body = github.comments[0]?.body ?? '';
    expect(body).toContain('ONE');
    expect(body).toContain('touch 1 of 2 accounts.');
    expect(body).toContain('berlin.yaml: berlin');
  });

  it('posts one comment for several accounts, and never reports "no changes" for an account without a plan', async () => {
    const { github, step } = await given({ 'berlin.yaml': rename, 'lisbon.yaml': `${empty}# changed\n` });
    const { code, log, outputs } = await step({ accounts: 'true', labels: 'true' });
    expect(github.labels).toEqual(['rampart/failed']);
    expect({ code, log }).toMatchObject({ code: 4 });
    expect(outputs['exit-code']).toBe('4');
    expect(github.comments).toHaveLength(1);
    const body = github.comments[0]?.body ?? '';
    expect(body).toContain('2 accounts: 1 without a plan, 1 with changes');
    expect(body).toContain('ONE');
    expect(body).toContain('touch 2 of 2 accounts.');
    expect(log).not.toContain(lisbonKey);
  });

  it('sends nothing if the pull request touches no account', async () => {
    const { emulator, github, step } = await given({ 'README.md': 'words\n' });
    const { code, outputs } = await step({ accounts: 'true', labels: 'true' });
    expect([code, outputs['exit-code']]).toEqual([0, '0']);
    expect(github.labels).toEqual(['rampart/no-changes']);
    expect(emulator.requests).toEqual([]);
  });

  it("shows no account's key, not even in the log", async () => {
    const { github, step } = await given({ 'berlin.yaml': `${rename}# ${lisbonKey} ${testPsk}\nbad: [\n` });
    const ended = await step();
    const all = JSON.stringify([ended, github.comments]);
    expect(ended.code).not.toBe(0);
    expect(all).not.toContain(lisbonKey);
    expect(all).not.toContain(testPsk);
  });

  it('is refused with inputs for one account', async () => {
    const { emulator, step } = await given({});
    for (const more of [
      { account: 'berlin' },
      { mode: 'drift', observed: 'fleet.json' },
      { mode: 'validate', account: 'berlin' },
      { flags: '--changed-since main' },
    ])
      expect((await step({ accounts: 'true', ...more })).code, JSON.stringify(more)).toBe(3);
    expect(emulator.requests).toEqual([]);
  });
});

describe('the example of drift in several accounts', async () => {
  const example = parse(
    await readFile(join(import.meta.dirname, '../../examples/pipelines/github/accounts-drift.yml'), 'utf8'),
  ) as Workflow;
  const inputs = example.jobs['drift']?.steps.at(-1)?.with ?? {};

  async function twoFleets() {
    const github = await githubStandIn();
    const place = await checkout(github);
    const services = await Promise.all(
      ['berlin', 'lisbon'].map((name) => givenService({ hosts: [{ id: '1', name }] })),
    );
    const [berlin = '', lisbon = ''] = services.map(({ env }) => env['RAMPART_BASE_URL']);
    await place.write(
      'rampart.config.yaml',
      `defaults: { key: { variable: '{NAME}_PSK' }, files: ['{name}.yaml'] }
accounts:
  berlin: { companyId: 1234567890, baseUrl: '${berlin}', labels: { region: eu } }
  lisbon: { companyId: 1234567890, baseUrl: '${lisbon}', labels: { region: eu } }
`,
    );
    for (const name of ['berlin', 'lisbon'])
      await place.write(`${name}.yaml`, `version: 1\nhosts: [{ id: 1, name: ${name} }]\n`);
    place.git('init', '--quiet', '--initial-branch=main');
    place.git('add', '.');
    place.git('commit', '--quiet', '--message', 'reviewed');
    const step = (more: Readonly<Record<string, string>> = {}, env: object = {}) =>
      place.step({
        event: 'schedule',
        env: {
          BERLIN_PSK: testPsk,
          LISBON_PSK: testPsk,
          RAMPART_CONFIG_REF: 'HEAD',
          RAMPART_ALLOWED_ORIGINS: `${berlin} ${lisbon}`,
          ...env,
        },
        inputs: { ...inputs, ...more },
      });
    return { github, place, step, emulators: services.map(({ emulator }) => emulator) };
  }

  it('opens one issue, updates it although an account fails, and closes it', async () => {
    const { github, step, emulators } = await twoFleets();
    const calm = await step();
    expect([calm.code, calm.log]).toEqual([0, expect.stringContaining('No drift: berlin, lisbon')]);
    expect(calm.outputs).toMatchObject({ changes: '0', 'exit-code': '0' });
    expect(github.issues).toEqual([]);

    for (const emulator of emulators) emulator.edit({ kind: 'rename', id: '1', name: 'by hand' });
    const drifted = await step();
    expect([drifted.code, drifted.outputs['exit-code'], drifted.outputs['changes']]).toEqual([0, '2', '2']);
    expect(drifted.summary).toContain('**2 of 2 accounts have drifted: 2 hosts.**');
    expect(drifted.annotations).toContainEqual(
      expect.objectContaining({ file: 'lisbon.yaml', line: 2, message: expect.stringContaining('lisbon: ') }),
    );
    expect(github.issues).toMatchObject([{ title: 'Fleets of eu have drifted', state: 'open' }]);
    expect((await step({ 'fail-on-changes': 'true' })).code).toBe(2);

    const [, lisbon] = emulators;
    lisbon?.edit({ kind: 'rename', id: '1', name: 'lisbon' });
    const partly = await step({}, { BERLIN_PSK: lisbonKey });
    expect(partly.code).toBe(4);
    expect(github.issues.map(({ state }) => state)).toEqual(['open']);
    expect(JSON.stringify([partly, github.issues])).not.toContain(lisbonKey);

    emulators[0]?.edit({ kind: 'rename', id: '1', name: 'berlin' });
    expect((await step()).code).toBe(0);
    expect(github.issues.map(({ state }) => state)).toEqual(['closed']);
  });

  it('refuses an unknown label, and leaves the issues alone', async () => {
    const { github, step } = await twoFleets();
    const { code, summary } = await step({ accounts: 'regoin == "eu"' });
    expect(code).toBe(3);
    expect(summary).toContain('regoin');
    expect(github.issues).toEqual([]);
  });

  it('validates the files of all accounts without a key, and annotates a shared problem once', async () => {
    const { place, step, emulators } = await twoFleets();
    const without = { BERLIN_PSK: '', LISBON_PSK: '' };
    const validate = { mode: 'validate', issue: 'off' };
    const fine = await step(validate, without);
    expect([fine.code, fine.outputs]).toEqual([0, { 'exit-code': '0' }]);
    expect(fine.summary).toContain('The desired state is valid in 2 accounts.');

    await place.write('lisbon.yaml', 'version: 1\nhosts: [{ id: x }]\n');
    const bad = await step(validate, without);
    expect([bad.code, bad.annotations.map(({ file, line }) => [file, line])]).toEqual([
      3,
      [['lisbon.yaml', 2]],
    ]);
    expect(bad.summary).toContain('The desired state is not valid in 1 of 2 accounts: 1 problem.');

    const shared = await step({ ...validate, files: 'lisbon.yaml' }, without);
    expect(shared.annotations).toHaveLength(1);
    expect(shared.summary).toContain('not valid in 2 of 2 accounts: 1 problem.');
    expect(emulators.flatMap(({ requests }) => requests)).toEqual([]);
  });
});

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly with?: Readonly<Record<string, string>> }[] }>
  >;
}
