import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSigningKey } from '../../src/run/signature/ssh-key.ts';
import {
  type GivenService,
  givenService,
  type Ran,
  testPsk,
  type Workplace,
  workplace,
} from '../given/command-line.ts';
import { idToken, sigstoreInstance } from '../given/sigstore-instance.ts';

const desired = 'version: 1\nhosts: [{ id: 1, name: NEW }]\n';
const writes = (emulator: { requests: readonly { method: string }[] }) =>
  emulator.requests.filter(({ method }) => method !== 'GET').length;

function keyPair() {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const key = readSigningKey(pem, 'key');
  if (!key.ok) throw new Error('no key');
  return { pem, line: (name: string) => `${name} ssh-ed25519 ${key.value.publicBlob.toString('base64')}\n` };
}

async function given(): Promise<Given> {
  const place = await workplace();
  const service = await givenService({ hosts: [{ id: '1', name: 'OLD' }] });
  const [alice, mallory] = [keyPair(), keyPair()];
  await place.write('fleet.yaml', desired);
  await place.write('alice.key', alice.pem);
  await place.write('mallory.key', mallory.pem);
  await place.write('signers', alice.line('alice'));
  const env = { ...service.env, RAMPART_ALLOWED_SIGNERS: 'signers' };
  const run: Given['run'] = (argv, more = {}) => place.rampart(argv.split(' '), { env: { ...env, ...more } });
  const sign = (key = 'alice.key') => run('plan --out plan.json --sign', { RAMPART_SIGNING_KEY_FILE: key });
  return { ...place, ...service, run, sign };
}

describe('a plan that must be signed', () => {
  it('is applied if the required person has signed it, and the log says who', async () => {
    const { run, sign, emulator } = await given();
    expect((await sign()).err).toContain('Signed the plan: plan.json.sig');
    const verified = await run('verify plan.json --require-signature alice --json');
    expect(JSON.parse(verified.out)).toMatchObject({
      sound: true,
      signature: { account: { company_id: '1234567890' } },
    });
    const { signed_at: from, expires_at: until } = JSON.parse(verified.out).signature;
    expect(Date.parse(until) - Date.parse(from)).toBe(48 * 3_600_000);
    const applied = await run('apply plan.json --require-signature alice');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.err).toMatch(/Signed by alice at 2026-11-21T09:00:0\d.\d+Z\. Planned by /);
    expect(writes(emulator)).toBe(1);
  });

  it('may also be signed after the review', async () => {
    const { run } = await given();
    await run('plan --out plan.json');
    const signed = await run('plan sign plan.json', { RAMPART_SIGNING_KEY_FILE: 'alice.key' });
    expect(signed).toMatchObject({ code: 0, out: 'Signed the plan: plan.json.sig\n' });
    expect(await run('apply plan.json --require-signature alice')).toMatchObject({ code: 0 });
  });

  it('is applied only once', async () => {
    const { run, sign, emulator } = await given();
    await sign();
    await run('apply plan.json --require-signature alice');
    emulator.edit({ kind: 'rename', id: '1', name: 'OLD' } as never);
    const again = await run('apply plan.json --require-signature alice');
    expect(again.code).toBe(7);
    expect(again.err).toContain('this signed plan was already applied, by the run ');
    expect(writes(emulator)).toBe(1);
  });

  it.each([
    ['has no signature', async () => {}, 'apply plan.json', 6, 'plan.json:1:1'],
    [
      'is signed by somebody else',
      async ({ sign }: Given): Promise<void> => {
        await sign('mallory.key');
      },
      'apply plan.json',
      6,
      'plan.json.sig:1:1',
    ],
    [
      'was edited after it was signed',
      async ({ sign, folder }: Given) => {
        await sign();
        const file = join(folder, 'plan.json');
        await writeFile(file, `${await readFile(file, 'utf8')}\n`);
      },
      'apply plan.json',
      6,
      'plan.json.sig:1:1',
    ],
    [
      'has an expired signature',
      async ({ run, clock }: Given) => {
        await run('plan sign plan.json --sign-for 1h', { RAMPART_SIGNING_KEY_FILE: 'alice.key' });
        await clock.sleep(3_600_000);
      },
      'apply plan.json',
      7,
      'the signature expired at',
    ],
    [
      'has the signature of an earlier plan',
      async ({ sign, run, write, folder }: Given) => {
        await sign();
        const earlier = await readFile(join(folder, 'plan.json.sig'), 'utf8');
        await write('fleet.yaml', desired.replace('NEW', 'OTHER'));
        await run('plan --out plan.json');
        await write('plan.json.sig', earlier);
      },
      'apply plan.json',
      6,
      'is for another plan',
    ],
    [
      'gets another approval',
      async ({ sign }: Given): Promise<void> => {
        await sign();
      },
      'apply plan.json --ack rename=1',
      6,
      'is not signed',
    ],
    ['is made on the spot', async () => {}, 'apply --auto-approve', 6, 'is not signed'],
  ] as const)('is refused without a write if it %s', async (_what, prepare, argv, code, words) => {
    const all = await given();
    await all.run('plan --out plan.json');
    await prepare(all);
    for (const required of [
      { env: { RAMPART_REQUIRE_SIGNATURE: 'alice' }, flag: '' },
      { env: {}, flag: ' --require-signature alice' },
    ]) {
      expect(await all.run(`${argv}${required.flag}`, required.env)).toExit(code, words);
    }
    expect(writes(all.emulator)).toBe(0);
  });

  it('is refused if a flag names someone else than the operator', async () => {
    const { run, sign, write, emulator } = await given();
    await sign();
    expect(
      await run('apply plan.json --require-signature alice', { RAMPART_REQUIRE_SIGNATURE: 'bob' }),
    ).toExit(6, 'must be signed by "bob"');
    await write('signers', 'alice\n');
    expect(await run('apply plan.json', { RAMPART_REQUIRE_SIGNATURE: 'alice' })).toExit(3, 'signers:1');
    const none = await run('apply plan.json', {
      RAMPART_REQUIRE_SIGNATURE: 'alice',
      RAMPART_ALLOWED_SIGNERS: '',
    });
    expect(none.err).toContain('RAMPART_ALLOWED_SIGNERS is not set');
    expect(writes(emulator)).toBe(0);
  });

  it('may be signed by any of the names that the operator lists, and a list without a name refuses all', async () => {
    const { run, sign } = await given();
    await sign();
    expect(await run('apply plan.json', { RAMPART_REQUIRE_SIGNATURE: ' , ' })).toExit(6);
    expect(
      await run('apply plan.json', { RAMPART_REQUIRE_SIGNATURE: ',', RAMPART_ALLOWED_SIGNERS: 'none' }),
    ).toExit(3, 'the file none does not exist');
    expect(await run('apply plan.json', { RAMPART_REQUIRE_SIGNATURE: 'bob , alice' })).toExit(0);
  });

  it('is refused if its earlier runs or its signature cannot be read', async () => {
    const { run, sign, folder, emulator } = await given();
    await sign();
    await rm(join(folder, 'plan.json.sig'));
    await mkdir(join(folder, 'plan.json.sig'));
    expect(await run('apply plan.json --require-signature alice')).toExit(3, "plan.json.sig can't be read");
    expect(writes(emulator)).toBe(0);
  });

  it('is not undone without a signature either', async () => {
    const { run, emulator } = await given();
    await run('apply --auto-approve');
    expect(await run('undo --auto-approve', { RAMPART_REQUIRE_SIGNATURE: 'alice' })).toExit(6);
    expect(writes(emulator)).toBe(1);
  });

  it('needs a key, a file and no secret in the output', async () => {
    const { run, write } = await given();
    expect((await run('plan --sign')).code).toBe(3);
    expect((await run('plan --out plan.json --sign')).err).toContain('RAMPART_SIGNING_KEY_FILE');
    const absent = await run('plan --out plan.json --sign', { RAMPART_SIGNING_KEY_FILE: 'no.key' });
    expect(absent.err).toContain('the file no.key does not exist');
    await write('bad.key', `secret ${'x'.repeat(40)}`);
    const bad = await run('plan --out plan.json --sign', { RAMPART_SIGNING_KEY_FILE: 'bad.key' });
    expect(bad).toMatchObject({ code: 3, err: expect.not.stringContaining('xxxx') });
  });
});

it('a plan that its pipeline signs is applied if the required pipeline has signed it, and its token stays secret', async () => {
  const { run, write, emulator } = await given();
  await write('root.json', await sigstoreInstance());
  const pipeline = 'https://gitlab.com/acme/fleet//.gitlab-ci.yml@refs/heads/main';
  const token = idToken(pipeline, 'https://gitlab.com');
  const signed = await run('plan --out plan.json --sign', { SIGSTORE_ID_TOKEN: token });
  expect(signed.err).toContain('Signed the plan: plan.json.sig');
  expect(signed.out + signed.err).not.toContain(token);
  const required = {
    RAMPART_ALLOWED_SIGNERS: '',
    RAMPART_SIGSTORE_ROOT: 'root.json',
    RAMPART_REQUIRE_SIGNATURE: `${pipeline} https://gitlab.com`,
  };
  const other = { ...required, RAMPART_REQUIRE_SIGNATURE: `${pipeline} https://example.com` };
  expect(await run('apply plan.json', other)).toMatchObject({ code: 6 });
  expect(await run('apply plan.json', { ...required, RAMPART_SIGSTORE_ROOT: 'plan.json' })).toMatchObject({
    code: 3,
  });
  expect(await run('apply plan.json', { ...required, RAMPART_SIGSTORE_ROOT: 'none' })).toMatchObject({
    code: 3,
  });
  expect(writes(emulator)).toBe(0);
  expect(await run('apply plan.json', required)).toExit(0);
  expect(writes(emulator)).toBe(1);
});

it('the plans of several accounts are signed together, and applied together', async () => {
  const { run, sign, write, emulator, env } = await given();
  await write(
    'rampart.config.yaml',
    `accounts: { berlin: { companyId: ${env['RAMPART_COMPANY_ID']}, key: { variable: BERLIN_PSK }, files: [fleet.yaml] } }\n`,
  );
  const key = { BERLIN_PSK: testPsk, RAMPART_REQUIRE_SIGNATURE: 'alice' };
  await sign();
  expect(await run('plan --accounts true --out plans/', key)).toExit(0);
  expect(await run('apply plans/', key)).toExit(6, 'plans/index.json:1:1');
  const signed = await run('plan --accounts true --out plans/ --sign', {
    ...key,
    RAMPART_SIGNING_KEY_FILE: 'alice.key',
  });
  expect(signed.err).toContain('Signed the plan: plans/index.json.sig');
  expect(writes(emulator)).toBe(0);
  expect(await run('apply plans/', key)).toMatchObject({ code: 0 });
  expect(writes(emulator)).toBe(1);
});

interface Given extends Workplace, GivenService {
  run(argv: string, more?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Plans and signs. */
  sign(key?: string): Promise<Ran>;
}
