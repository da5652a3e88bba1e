import { describe, expect, test } from 'vitest';
import { unknownValue } from '../../../src/terraform/protocol/value/unknown.ts';
import type { ProviderConfig } from '../../../src/terraform/provider/connection/configuration.ts';
import { durationMs } from '../../../src/terraform/provider/connection/duration.ts';
import { readSettings, unknownArguments } from '../../../src/terraform/provider/connection/settings.ts';

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
  emulator: null,
};

const env = {
  RAMPART_BASE_URL: 'https://env.example.com',
  RAMPART_COMPANY_ID: '1',
  RAMPART_PSK: 'key-of-env',
};

describe('whom the provider calls', () => {
  test('all of it from the environment', () => {
    expect(readSettings(nothing, env)).toMatchObject({
      value: {
        baseUrl: env.RAMPART_BASE_URL,
        credentials: { kind: 'basic', companyId: '1', psk: 'key-of-env' },
      },
    });
  });

  test('what the block says goes before the environment', () => {
    const config = {
      ...nothing,
      base_url: 'https://block.example.com',
      company_id: '2',
      psk: 'own',
      auth: 'json',
    };
    expect(readSettings(config, env)).toMatchObject({
      value: {
        baseUrl: 'https://block.example.com',
        credentials: { kind: 'json', companyId: '2', psk: 'own' },
      },
    });
  });

  test('a session of the environment counts where the block has no key', () => {
    const session = { ...env, RAMPART_SESSION_ID: 's', RAMPART_PROFILE_ID: '9' };
    expect(readSettings(nothing, session)).toMatchObject({ value: { credentials: { kind: 'session' } } });
    expect(readSettings({ ...nothing, psk: 'own' }, session)).toMatchObject({
      value: { credentials: { psk: 'own' } },
    });
  });

  test.each([
    [{}, 'base_url'],
    [{ ...env, RAMPART_COMPANY_ID: '' }, 'company_id'],
    [{ ...env, RAMPART_PSK: '' }, 'psk or psk_file'],
  ])('what is missing is named: %#', (given, named) => {
    const read = readSettings(nothing, given);
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read.problems)).toContain(named);
    expect(JSON.stringify(read.problems)).not.toContain('key-of-env');
  });

  test('arguments that are not known yet are named, those of the emulator too', () => {
    const emulator = { seed_file: null, state_file: unknownValue() };
    expect(unknownArguments({ ...nothing, psk: unknownValue(), emulator })).toEqual(['psk', 'state_file']);
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
