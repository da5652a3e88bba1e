import { describe, expect, it } from 'vitest';
import {
  databaseProblem,
  isPassingFault,
  notMigrated,
} from '../../../../src/run/state/postgres/database-problem.ts';

const place = 'the database state on db:5432';
const secret = 'postgresql://ada:s3cret@db/state';
const coded = (code: unknown) => Object.assign(new Error(secret), { code });

const passing = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
];

describe('a failure of the database', () => {
  it.each(passing)('may be temporary if its code is %s', (code) => {
    expect(isPassingFault(coded(code))).toBe(true);
    expect(databaseProblem(coded(code), place)).toMatchObject({
      code: 'state',
      message: `${place} can't be reached (${code})`,
    });
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Cannot use a pool after the connection',
    'the stream has ENDED',
  ])('is temporary if the driver reports: %s', (message) => {
    expect(isPassingFault(new Error(message))).toBe(true);
    expect(databaseProblem(new Error(message), place).message).toBe(
      `${place} can't be reached (the connection broke)`,
    );
  });

  it.each([
    coded('42P01'),
    coded('23505'),
    coded(7),
    new Error('syntax'),
    'timeout',
    { code: 'EPIPE' },
    null,
  ])('is not temporary if it is %o', (error) => {
    expect(isPassingFault(error)).toBe(false);
  });

  it('with a code is not classified by its message', () => {
    expect(isPassingFault(Object.assign(new Error('timeout'), { code: '23505' }))).toBe(false);
  });

  it.each([
    ['28P01', 'not-authenticated', 'refuses the user'],
    ['28000', 'not-authenticated', 'refuses the user'],
    ['42501', 'forbidden', 'no right to write'],
    ['25006', 'state', 'is read-only'],
    ['42P01', 'state', 'does not have the tables'],
    ['3F000', 'state', 'does not have the tables'],
    ['42703', 'state', 'does not have the tables'],
    ['3D000', 'state', 'does not exist'],
    ['CERT_HAS_EXPIRED', 'state', 'over TLS (CERT_HAS_EXPIRED)'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'state', 'over TLS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'state', 'over TLS'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'state', 'over TLS'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'state', 'over TLS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'state', 'over TLS'],
    ['CRL_HAS_EXPIRED', 'state', 'over TLS'],
    ['INVALID_PURPOSE', 'state', 'over TLS'],
    ['HOSTNAME_MISMATCH', 'state', 'over TLS'],
    ['EPROTO', 'state', 'over TLS'],
  ])('with the code %s is %s, and has a hint', (code, kind, message) => {
    const found = databaseProblem(coded(code), place);
    expect(found).toMatchObject({ code: kind, hint: expect.stringMatching(/\w/) });
    expect(found.message).toContain(place);
    expect(found.message).toContain(message);
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });

  it('reports a server without TLS', () => {
    const found = databaseProblem(new Error('The server does not support SSL connections'), place);
    expect(found.message).toBe(`${place} can't be reached over TLS (the server does not offer it)`);
    expect(databaseProblem('The server does not support SSL connections', place).message).toContain('failed');
  });

  it('of an unknown kind shows its code, and never the text of the driver', () => {
    expect(databaseProblem(coded('XX000'), place)).toEqual({
      code: 'state',
      severity: 'error',
      message: `${place} failed (XX000)`,
    });
    expect(databaseProblem(new Error(secret), place).message).toBe(`${place} failed (no code)`);
    for (const error of [secret, null, coded(7)])
      expect(databaseProblem(error, place).message).toBe(`${place} failed (no code)`);
  });

  it('because of missing tables names the command that creates them', () => {
    expect(notMigrated(place)).toMatchObject({
      code: 'state',
      hint: expect.stringContaining('rampart state migrate'),
    });
  });
});
