import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountConfig } from '../../../src/accounts/config/account-config.ts';
import { readConfiguration } from '../../../src/accounts/engine/configuration.ts';
import type { SecretTarget } from '../../../src/accounts/engine/engine-parts.ts';
import { failed, ok, problem, warning } from '../../../src/core/problem/problem.ts';
import { givenAccountConfig } from '../../given/account-config.ts';
import { newFolder } from '../../given/folder.ts';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  writeFileSync(join(cwd, 'key'), 'key-in-a-file\n', { mode: 0o600 });
});

const accountOf = (parts: Partial<AccountConfig> = {}): AccountConfig =>
  givenAccountConfig({ baseUrl: 'https://remote.example.com', ...parts });

async function read(
  env: Record<string, string>,
  account?: AccountConfig,
  answer: (target: SecretTarget) => ReturnType<typeof ok<null>> | ReturnType<typeof failed> = () => ok(null),
) {
  const asked: SecretTarget[] = [];
  const result = await readConfiguration({
    env,
    cwd,
    ...(account === undefined ? {} : { account }),
    hide: () => {},
    maySend: async (target) => {
      asked.push(target);
      return answer(target);
    },
  });
  return { result, asked, messages: result.problems.map(({ message }) => message) };
}

const whole = {
  RAMPART_BASE_URL: 'https://remote.example.com',
  RAMPART_COMPANY_ID: '1000',
  RAMPART_PSK: 'key-of-the-environment',
};

describe('the configuration of the environment', () => {
  it('contains the address, the company ID and the key, without prompting', async () => {
    const { result, asked } = await read(whole);
    expect(result).toMatchObject({
      ok: true,
      value: {
        baseUrl: 'https://remote.example.com',
        companyId: '1000',
        credentials: { kind: 'basic', companyId: '1000', psk: 'key-of-the-environment' },
      },
    });
    expect(asked).toEqual([]);
    const json = await read({ ...whole, RAMPART_AUTH: 'json' });
    expect(json.result).toMatchObject({ value: { credentials: { kind: 'json' } } });
    expect((await read({ ...whole, RAMPART_AUTH: '' })).result).toMatchObject({
      value: { credentials: { kind: 'basic' } },
    });
  });

  it('lists everything that is missing or wrong at once, with what to set', async () => {
    const { result, messages } = await read({ RAMPART_AUTH: 'digest' });
    expect(result.ok).toBe(false);
    expect(messages).toEqual([
      "the service's address is not set",
      'RAMPART_AUTH must be basic or json',
      'no credentials are set',
    ]);
    for (const { hint, code } of result.problems)
      expect([code, hint]).toEqual([
        expect.stringMatching(/^(?:configuration|missing-credentials)$/),
        expect.stringMatching(/set/),
      ]);
  });

  it('is refused without an address, though its credentials are complete', async () => {
    const { RAMPART_BASE_URL: _, ...credentials } = whole;
    const { result, messages } = await read(credentials);
    expect([result.ok, messages]).toEqual([false, ["the service's address is not set"]]);
  });

  it('is refused with two keys, and with a broken configuration file', async () => {
    const both = { ...whole, RAMPART_PSK_FILE: 'key' };
    for (const account of [undefined, accountOf()])
      expect((await read(both, account)).messages).toEqual(['both RAMPART_PSK and RAMPART_PSK_FILE are set']);
    writeFileSync(join(cwd, 'rampart.config.yaml'), 'aliases: [');
    expect((await read(whole)).result.ok).toBe(false);
  });

  it('has no company ID if a login session does not include one', async () => {
    const { result } = await read({
      RAMPART_BASE_URL: whole.RAMPART_BASE_URL,
      RAMPART_SESSION_ID: 's-1',
      RAMPART_PROFILE_ID: '7',
    });
    expect(result).toMatchObject({ value: { companyId: null, credentials: { kind: 'session' } } });
  });

  it('warns of a key file that others can read, and fails without the file', async () => {
    const { RAMPART_PSK: _, ...rest } = whole;
    chmodSync(join(cwd, 'key'), 0o644);
    const shared = await read({ ...rest, RAMPART_PSK_FILE: 'key' });
    expect([shared.result.ok, shared.messages]).toEqual([true, ['other users can read key']]);
    const missing = await read({ ...rest, RAMPART_PSK_FILE: 'no-key' });
    expect([missing.result.ok, missing.messages]).toEqual([false, [expect.stringContaining('no-key')]]);
  });

  it.each([
    [{ RAMPART_PSK: 'k' }, 'RAMPART_COMPANY_ID is not set'],
    [{ RAMPART_COMPANY_ID: '1' }, 'neither RAMPART_PSK nor RAMPART_PSK_FILE is set'],
    [{ RAMPART_COMPANY_ID: 'x', RAMPART_PSK: 'k' }, 'the company ID is not an integer'],
    [{ RAMPART_COMPANY_ID: '', RAMPART_PSK: '' }, 'no credentials are set'],
  ])('names the missing half of credentials in %o', async (env, message) => {
    const base = { RAMPART_BASE_URL: 'https://remote.example.com' };
    expect((await read({ ...base, ...env })).messages).toEqual([message]);
  });
});

describe('the configuration of an account', () => {
  it('overrides the environment, and asks once whether its key may be sent there', async () => {
    const { result, asked } = await read(
      { ...whole, RAMPART_COMPANY_ID: '9', RAMPART_AUTH: 'json', BERLIN_PSK: 'key-of-berlin' },
      accountOf({ auth: 'basic', key: { kind: 'variable', variable: 'BERLIN_PSK' } }),
    );
    expect(result).toMatchObject({
      value: { companyId: '1000', credentials: { kind: 'basic', companyId: '1000', psk: 'key-of-berlin' } },
    });
    expect(asked).toEqual([
      { baseUrl: 'https://remote.example.com', key: expect.stringContaining('BERLIN_PSK') },
    ]);
  });

  it('has its own aliases, even if the file has changed since', async () => {
    writeFileSync(join(cwd, 'rampart.config.yaml'), 'aliases: [');
    const aliases = { connectionPath: 'connections' } as const;
    expect((await read(whole, accountOf({ aliases }))).result).toMatchObject({ value: { aliases } });
  });

  it('takes the key of the environment if it has no key of its own, and asks before sending that one too', async () => {
    const { result, asked } = await read(whole, accountOf());
    expect(result).toMatchObject({ value: { credentials: { psk: 'key-of-the-environment' } } });
    expect(asked).toEqual([
      { baseUrl: 'https://remote.example.com', key: expect.stringContaining('RAMPART_PSK') },
    ]);
    const nothing = await read({}, accountOf());
    expect(nothing.asked).toMatchObject([{ key: expect.stringContaining('RAMPART_PSK') }]);
    expect(nothing.result.ok).toBe(false);
  });

  it('reads no key if it may not be sent, and passes on the warnings if it may', async () => {
    const refused = await read(whole, accountOf(), () => failed(problem('unpinned-origin', 'not there')));
    expect(refused.result).toMatchObject({ ok: false, problems: [{ code: 'unpinned-origin' }] });
    const warned = await read(whole, accountOf(), () => ok(null, [warning('configuration', 'first use')]));
    expect([warned.result.ok, warned.messages]).toEqual([true, ['first use']]);
  });

  it('is trusted if it is from a reviewed commit, or if the environment names the address', async () => {
    expect((await read(whole, accountOf({ isReviewed: true }))).asked).toEqual([]);
    const { baseUrl: _, ...rest } = accountOf();
    const { result, asked } = await read(whole, rest);
    expect([result.ok, asked]).toEqual([true, []]);
  });

  it('requests the token of Vault first, then uses it to request the key', async () => {
    const vault = {
      address: 'https://vault.example.com',
      mount: 'secret',
      path: 'rampart/berlin',
      field: 'psk',
      login: { kind: 'token', variable: 'VAULT_TOKEN' },
    } as const;
    const { asked } = await read(
      whole,
      accountOf({ key: { kind: 'vault', vault } as AccountConfig['key'] & object }),
      () => failed(problem('unpinned-origin', 'not there')),
    );
    expect(asked).toMatchObject([
      { baseUrl: 'https://vault.example.com', key: expect.stringContaining('VAULT_TOKEN') },
    ]);
  });

  it('reads no file that a checkout selects in a pipeline, unless the commit is reviewed', async () => {
    const key = { kind: 'file', file: 'key' } as const;
    const { result, asked } = await read({ ...whole, CI: 'true' }, accountOf({ key }));
    expect(result).toMatchObject({ ok: false, problems: [{ code: 'unpinned-origin' }] });
    expect(result.problems[0]?.message).toBe(
      'the key of account "berlin" is not read from a file: rampart.config.yaml is part of the checkout',
    );
    expect(result.problems[0]?.hint).toContain('RAMPART_CONFIG_REF');
    expect(asked).toEqual([]);
    for (const [env, parts] of [
      [
        { ...whole, CI: 'true' },
        { key, isReviewed: true },
      ],
      [whole, { key }],
    ] as const)
      expect((await read(env, accountOf(parts))).result).toMatchObject({
        value: { credentials: { psk: 'key-in-a-file' } },
      });
    const variable = { kind: 'variable', variable: 'RAMPART_PSK' } as const;
    expect((await read({ ...whole, CI: 'true' }, accountOf({ key: variable }))).result.ok).toBe(true);
  });

  it('names the variable that has no key', async () => {
    const { result } = await read(whole, accountOf({ key: { kind: 'variable', variable: 'BERLIN_PSK' } }));
    expect(result.problems).toMatchObject([
      { code: 'missing-credentials', message: 'the variable BERLIN_PSK is not set' },
    ]);
    expect(result.problems[0]?.hint).toMatch(
      /^set BERLIN_PSK_FILE to the path of a file with the PSK, or BERLIN_PSK to/,
    );
  });

  it('may be a login session, which needs both of its variables', async () => {
    const key = {
      kind: 'session',
      sessionIdVariable: 'A_SESSION_ID',
      profileIdVariable: 'A_PROFILE_ID',
    } as const;
    const session = (env: Record<string, string>) => read(env, accountOf({ key }));
    expect((await session({ A_SESSION_ID: 's-1', A_PROFILE_ID: '7' })).result).toMatchObject({
      value: { credentials: { kind: 'session', sessionId: 's-1', profileId: '7' } },
    });
    expect((await session({ CI: 'true', A_SESSION_ID: 's-1', A_PROFILE_ID: '7' })).result.ok).toBe(true);
    expect((await session({ A_SESSION_ID: 's-1' })).messages).toEqual(['A_PROFILE_ID is not set']);
    expect((await session({ A_PROFILE_ID: '7' })).messages).toEqual(['A_SESSION_ID is not set']);
    const none = await session({});
    expect(none.messages).toEqual(['A_SESSION_ID and A_PROFILE_ID are not set']);
    expect(none.result.problems[0]?.hint).toBe(
      'set A_SESSION_ID and A_PROFILE_ID: session credentials need both A_SESSION_ID and A_PROFILE_ID',
    );
  });
});
