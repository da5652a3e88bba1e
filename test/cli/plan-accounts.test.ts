import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { createEmulatedAccounts } from '../../src/service/emulator/accounts.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { type Ran, testPsk, type Workplace, workplace } from '../given/command-line.ts';

const rules = `version: 1
rules:
  - name: kiosk names
    when: host.name.startsWith("KIOSK")
    rename: kiosk-\${host.id}
`;

describe('rampart plan for many accounts', () => {
  it('plans each account, and one that fails is never "no changes"', async () => {
    const { plan } = await givenAccounts();
    const ran = await plan();
    expect(ran).toExit(4, {
      out: [
        '1 account has no plan: nothing is known about its changes.',
        '4 accounts: 1 without a plan, 2 with changes, 1 without changes.',
        'rule kiosk names  renames 4 hosts in 2 accounts',
        'berlin: 2 renames\n',
      ],
    });
    expect(ran.err).toBe('');
  });

  it('shows the same in text, Markdown, page, JSON and exit code', async () => {
    const { plan } = await givenAccounts();
    const [text, markdown, page, json] = await Promise.all(
      ['text', 'markdown', 'html', 'json'].map((format) => plan('--format', format)),
    );
    const index = JSON.parse(json?.out ?? '') as {
      exit_code: number;
      accounts: { account: { name: string }; outcome: string; exit_code: number }[];
    };
    expect([text, markdown, page, json].map((ran) => ran?.code)).toEqual([4, 4, 4, 4]);
    expect(index.exit_code).toBe(4);
    expect(index.accounts.map((each) => [each.account.name, each.outcome, each.exit_code])).toEqual([
      ['berlin', 'changes', 0],
      ['lisbon', 'failed', 4],
      ['munich', 'no-changes', 0],
      ['porto', 'changes', 0],
    ]);
    for (const ran of [text, markdown, page]) {
      for (const words of [
        '1 without a plan, 2 with changes, 1 without changes',
        '4 renames',
        'kiosk names',
      ]) {
        expect(ran?.out).toContain(words);
      }
      for (const { account } of index.accounts) expect(ran?.out).toContain(account.name);
    }
  });

  it('gives one account with changes exit code 2 only with --detailed-exitcode', async () => {
    const { plan } = await givenAccounts();
    expect((await plan('--account', 'berlin', '--account', 'munich')).code).toBe(0);
    expect((await plan('--account', 'berlin', '--account', 'munich', '--detailed-exitcode')).code).toBe(2);
  });

  it('saves a folder that show reviews again, and that no change of a byte survives', async () => {
    const { plan, place } = await givenAccounts();
    const first = await plan('--out', 'plans/');
    expect((await readdir(join(place.folder, 'plans'))).sort()).toEqual(
      'berlin.plan.json index.json munich.plan.json porto.plan.json'.split(' '),
    );
    for (const path of ['plans', 'plans/index.json']) {
      const shown = await place.rampart(['show', path]);
      expect(shown.code).toBe(0);
      expect(shown.out).toBe(first.out);
    }
    const file = join(place.folder, 'plans', 'berlin.plan.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, `${text} `);
    expect((await place.rampart('show plans')).code).toBe(3);
    expect((await place.rampart('plan note plans')).code).toBe(3);
    await writeFile(file, text);
    expect((await place.rampart('show plans/berlin.plan.json')).code).toBe(0);
  });

  it('refuses a folder with other files before it sends anything', async () => {
    const { plan, place, requests } = await givenAccounts();
    await place.write('notes.txt', '');
    expect(await plan('--out', '.')).toExit(3, 'holds other files');
    expect(requests()).toBe(0);
  });

  it('refuses one snapshot for several accounts', async () => {
    const { plan } = await givenAccounts();
    expect(await plan('--observed', 'fleet.json')).toExit(3, '--observed is a snapshot of one account');
  });

  it('compares each account with a base, and rehearses each plan', async () => {
    const { plan, place } = await givenAccounts();
    await place.write('base.yaml', 'version: 1\nhosts: []\n');
    const ran = await plan('--base', 'base.yaml', '--rehearse');
    expect(ran.out).toContain('Compared with the base: 4 changes added by this change, 0 already pending.');
    expect(ran.out).toContain('Rehearsed 3 plans: all converged');
  });

  it('stops at a signal, and the review says so', async () => {
    const { plan, place } = await givenAccounts({ onRequest: () => place.interrupt() });
    const ran = await plan('--parallel', '1', '--json');
    const index = JSON.parse(ran.out) as { interrupted: boolean; accounts: { outcome: string }[] };
    expect(ran.code).toBe(130);
    expect(index.interrupted).toBe(true);
    expect(index.accounts).toHaveLength(4);
    expect(index.accounts.slice(1).map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed']);
  });

  it('never shows or saves a key', async () => {
    const { plan, place } = await givenAccounts();
    const rans = [await plan('--out', 'plans'), await plan('--format', 'html'), await plan('-v')];
    const saved = await Promise.all(
      (await readdir(join(place.folder, 'plans'))).map((name) =>
        readFile(join(place.folder, 'plans', name), 'utf8'),
      ),
    );
    const all = [...rans.flatMap(({ out, err }) => [out, err]), ...saved].join('\n');
    for (let at = 0; at + 20 < testPsk.length; at += 10)
      expect(all).not.toContain(testPsk.slice(at, at + 20));
  });
});

interface Accounts {
  readonly place: Workplace;
  plan(...flags: readonly string[]): Promise<Ran>;
  requests(): number;
}

/** Four accounts of one service; the key of lisbon is wrong, and munich has nothing to rename. */
async function givenAccounts({ onRequest = () => {} }: { onRequest?: () => void } = {}): Promise<Accounts> {
  const names = ['berlin', 'lisbon', 'munich', 'porto'];
  const hosts = (name: string) =>
    name === 'munich'
      ? [{ id: '1', name: 'server' }]
      : [1, 2].map((id) => ({ id: String(id), name: `KIOSK-${name}-${id}` }));
  const companyOf = (index: number) => String(1_000_000 + index);
  const clock = createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true });
  const emulated = createEmulatedAccounts(
    names.map((name, index) => ({
      clock,
      hooks: { beforeEach: () => onRequest() },
      state: fleetState({ hosts: hosts(name) }),
      credentials: { companyId: companyOf(index), loginSessionId: name, psk: testPsk },
    })),
  );
  if (!emulated.ok) throw new Error(emulated.problems[0]?.message);
  const served = await serve(emulated.value);
  onTestFinished(() => served.close());
  const place = await workplace({ 'rules.yaml': rules });
  const lines = names.map(
    (name, index) =>
      `  ${name}: { companyId: ${companyOf(index)}, key: { variable: ${name.toUpperCase()}_PSK }, labels: { region: eu } }\n`,
  );
  await place.write(
    'rampart.config.yaml',
    `defaults: { baseUrl: '${served.url}', files: [rules.yaml] }\naccounts:\n${lines.join('')}`,
  );
  const env = {
    RAMPART_ALLOWED_ORIGINS: served.url,
    ...Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_PSK`, testPsk])),
    LISBON_PSK: `wrong+${'y'.repeat(120)}`,
  };
  return {
    place,
    plan: (...flags) => {
      const selector = flags.includes('--account') ? [] : ['--accounts', 'region == "eu"'];
      return place.rampart(['plan', ...selector, ...flags], { env });
    },
    requests: () => emulated.value.accounts.reduce((sum, { requests }) => sum + requests.length, 0),
  };
}
