import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { unknownValue } from '../../../src/terraform/protocol/value/value.ts';
import { connectProvider } from '../../../src/terraform/provider/connect.ts';
import type { ProviderConfig } from '../../../src/terraform/provider/connection/configuration.ts';
import { durationMs } from '../../../src/terraform/provider/connection/duration.ts';
import {
  readConnectionSettings,
  unknownArguments,
} from '../../../src/terraform/provider/connection/settings.ts';

const nothing: ProviderConfig = {
  base_url: null,
  company_id: null,
  psk: null,
  psk_file: null,
  auth: null,
  read_only: null,
  max_age: null,
  state_dir: null,
  max_wait: null,
  limits: null,
  acks: null,
  state: null,
  emulator: null,
};

const env = {
  RAMPART_BASE_URL: 'https://env.example.com',
  RAMPART_COMPANY_ID: '1',
  RAMPART_PSK: 'key-of-env',
};

const service = { base_url: 'https://block.example.com', company_id: '1', psk: 'own' };
const emulated = { seed_file: null, state_file: 'fleet.yaml' };

describe('the problem of an invalid setting points', () => {
  const pathsOf = async (config: Partial<ProviderConfig>, given: Readonly<Record<string, string>>) => {
    const { client, diagnostics = [] } = await connectProvider(
      { ...nothing, ...config },
      { env: given, clock: systemClock },
    );
    expect(client).toBeUndefined();
    return diagnostics.map(({ path }) => path);
  };

  test.each<readonly [string, Partial<ProviderConfig>, Readonly<Record<string, string>>]>([
    ['base_url', { psk: 'own', company_id: '1' }, {}],
    ['base_url', { ...service, base_url: 'not an address' }, {}],
    ['base_url', { ...service, base_url: 'http://block.example.com' }, {}],
    ['base_url', { ...service, psk: null }, { RAMPART_PSK: 'key-of-env' }],
    ['company_id', { ...service, company_id: null }, {}],
    ['company_id', { ...service, company_id: '9999999999999999999' }, {}],
    ['psk', { company_id: '1' }, { RAMPART_BASE_URL: env.RAMPART_BASE_URL }],
    ['psk', { ...service, psk: '' }, {}],
    ['psk', { ...service, psk: 'two\nlines' }, {}],
    ['psk_file', { psk_file: 'nowhere' }, env],
    ['psk_file', { psk_file: '/proc/self/environ' }, env],
    ['state.url', { ...service, state: { url: 'mysql://db/one', url_file: null } }, {}],
    ['state.url', { ...service, state: { url: null, url_file: null } }, {}],
    ['state.url_file', { ...service, state: { url: null, url_file: 'nowhere' } }, {}],
    ['emulator.state_file', { emulator: { ...emulated, state_file: '/nowhere/fleet.yaml' } }, {}],
    ['emulator.state_file', { emulator: { ...emulated, state_file: import.meta.filename } }, {}],
    ['emulator.seed_file', { emulator: { ...emulated, seed_file: 'nowhere' } }, {}],
  ])('at the argument %s: %#', async (argument, config, given) => {
    // A file may have several errors.
    expect(new Set((await pathsOf(config, given)).map((path) => path?.join('.')))).toEqual(
      new Set([argument]),
    );
  });

  test.each<readonly [string, Readonly<Record<string, string>>]>([
    ['RAMPART_BASE_URL', { ...env, RAMPART_BASE_URL: 'not an address' }],
    ['RAMPART_COMPANY_ID', { ...env, RAMPART_COMPANY_ID: 'x' }],
    ['RAMPART_PSK', { ...env, RAMPART_PSK: 'two\nlines' }],
    ['RAMPART_AUTH', { ...env, RAMPART_AUTH: 'digest' }],
    ['RAMPART_STATE_URL', { ...env, RAMPART_STATE_URL: 'mysql://db/one' }],
  ])('at no argument if %s has it', async (_variable, given) => {
    expect(await pathsOf({}, given)).toEqual([undefined]);
  });
});

describe('the service that the provider calls', () => {
  test('is entirely set by the environment', () => {
    expect(readConnectionSettings(nothing, env)).toMatchObject({
      value: {
        baseUrl: env.RAMPART_BASE_URL,
        credentials: { kind: 'basic', companyId: '1', psk: 'key-of-env' },
      },
    });
  });

  test('is set by the block rather than the environment', () => {
    const config = {
      ...nothing,
      base_url: 'https://block.example.com',
      company_id: '2',
      psk: 'own',
      auth: 'json',
    };
    expect(readConnectionSettings(config, env)).toMatchObject({
      value: {
        baseUrl: 'https://block.example.com',
        credentials: { kind: 'json', companyId: '2', psk: 'own' },
      },
    });
  });

  describe('a key of the machine', () => {
    const attacker = { ...nothing, base_url: 'https://attacker.example.com', company_id: '1' };
    const session = { RAMPART_SESSION_ID: 'session-of-env', RAMPART_PROFILE_ID: '9' };
    const file = join(mkdtempSync(join(tmpdir(), 'rampart-psk-')), 'psk');
    writeFileSync(file, 'key-of-file\r\n');
    afterAll(() => rmSync(dirname(file), { recursive: true }));
    const cases: readonly (readonly [string, ProviderConfig, Readonly<Record<string, string>>])[] = [
      ['in RAMPART_PSK', attacker, { RAMPART_PSK: 'key-of-env' }],
      ['in RAMPART_PSK_FILE', attacker, { RAMPART_PSK_FILE: file }],
      ['in a file that the block names', { ...attacker, psk_file: file }, {}],
      ['that is a session', attacker, session],
    ];

    test.each(cases)('%s is sent to no address that only the block contains', (_case, config, given) => {
      for (const pinned of [{}, { RAMPART_BASE_URL: 'https://env.example.com' }]) {
        const read = readConnectionSettings(config, { ...given, ...pinned });
        expect(read.problems).toMatchObject([{ code: 'unpinned-origin' }]);
        expect(JSON.stringify(read)).not.toMatch(/key-of|session-of/);
      }
      for (const pinned of [
        { RAMPART_ALLOWED_ORIGINS: 'https://env.example.com,https://attacker.example.com' },
        { RAMPART_BASE_URL: 'https://attacker.example.com/path' },
      ]) {
        expect(readConnectionSettings(config, { ...given, ...pinned })).toMatchObject({
          ok: true,
          value: { baseUrl: 'https://attacker.example.com' },
        });
      }
    });

    test('can be allowed for an address of the block only in the environment, and the hint says so', async () => {
      const { diagnostics } = await connectProvider(attacker, {
        env: { RAMPART_PSK: 'x' },
        clock: systemClock,
      });
      expect(diagnostics).toMatchObject([
        {
          detail:
            'Set RAMPART_BASE_URL, or list the origin in RAMPART_ALLOWED_ORIGINS, in the environment that terraform runs in.',
        },
      ]);
    });

    test('is one line of a regular file', () => {
      const pinned = { RAMPART_BASE_URL: 'https://env.example.com', RAMPART_COMPANY_ID: '1' };
      expect(readConnectionSettings({ ...nothing, psk_file: file }, pinned)).toMatchObject({
        value: { credentials: { psk: 'key-of-file' } },
      });
      expect(readConnectionSettings(nothing, { ...pinned, RAMPART_PSK: 'key\n' })).toMatchObject({
        value: { credentials: { psk: 'key' } },
      });
      for (const path of ['/proc/self/environ', '/dev/zero', tmpdir(), 'nowhere']) {
        expect(readConnectionSettings({ ...nothing, psk_file: path }, pinned).ok).toBe(false);
      }
    });
  });

  test('a session of the environment counts if the block has no key', () => {
    const session = { ...env, RAMPART_SESSION_ID: 's', RAMPART_PROFILE_ID: '9' };
    expect(readConnectionSettings(nothing, session)).toMatchObject({
      value: { credentials: { kind: 'session' } },
    });
    expect(readConnectionSettings({ ...nothing, psk: 'own' }, session)).toMatchObject({
      value: { credentials: { psk: 'own' } },
    });
  });

  test.each([
    [{}, 'base_url'],
    [{ ...env, RAMPART_COMPANY_ID: '' }, 'company_id'],
    [{ ...env, RAMPART_PSK: '' }, 'psk or psk_file'],
  ])('a missing setting is reported: %#', (given, named) => {
    const read = readConnectionSettings(nothing, given);
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read.problems)).toContain(named);
    expect(JSON.stringify(read.problems)).not.toContain('key-of-env');
  });

  test('arguments that are not known yet are reported, including those of blocks', () => {
    const emulator = { seed_file: null, state_file: unknownValue() };
    const state = { url: unknownValue(), url_file: null };
    expect(unknownArguments({ ...nothing, psk: unknownValue(), emulator, state })).toEqual([
      'psk',
      'state_file',
      'url',
    ]);
  });

  test.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['', undefined],
    ['10', undefined],
    ['-1s', undefined],
    ['1.5h', undefined],
  ])('%j lasts %j ms', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });
});

test('no record of a run can contain the key, whatever form it has in a message', async () => {
  const psk = 'v3ry/secret+key';
  const { client } = await connectProvider({ ...nothing, ...service, psk }, { env: {}, clock: systemClock });
  const opened = client?.service;
  if (opened?.ok !== true) throw new Error('the provider is connected');
  const basic = Buffer.from(`1:${psk}`).toString('base64');
  for (const form of [psk, encodeURIComponent(psk), basic])
    expect(opened.value.redact(`the service answered ${form}`)).not.toContain(form);
  await opened.value.close();
});
