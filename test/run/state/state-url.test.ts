import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { secretsOfUrl } from '../../../src/core/lib/postgres-url.ts';
import { createRedaction } from '../../../src/core/lib/redaction.ts';
import { isStateUrlGiven, stateUrlOf } from '../../../src/run/state/state-url.ts';
import { givenFolder } from '../../given/given-folder.ts';

const url = 'postgresql://rampart:s3cret@db.example:5432/state';

let folder: string;
beforeEach(() => {
  folder = givenFolder();
});

const read = (env: Readonly<Record<string, string>>) =>
  stateUrlOf({ env, path: (given) => join(folder, given) });

describe('the address of the state', () => {
  it.each([{}, { RAMPART_STATE_URL: '' }, { RAMPART_STATE_URL: ' ', RAMPART_STATE_URL_FILE: '\t' }])(
    'is absent in %o',
    (env) => {
      expect(isStateUrlGiven(env)).toBe(false);
      expect(read(env)).toMatchObject({ ok: true, value: undefined });
    },
  );

  it('is read from the environment', () => {
    const env = { RAMPART_STATE_URL: ` ${url}\n` };
    expect(isStateUrlGiven(env)).toBe(true);
    expect(read(env)).toMatchObject({ ok: true, value: url });
  });

  it('is read from a file', () => {
    writeFileSync(join(folder, 'url'), ` ${url} \n`);
    const env = { RAMPART_STATE_URL_FILE: ' url ' };
    expect(isStateUrlGiven(env)).toBe(true);
    expect(read(env)).toMatchObject({ ok: true, value: url });
  });

  it('is refused if it is set twice', () => {
    writeFileSync(join(folder, 'url'), url);
    expect(read({ RAMPART_STATE_URL: url, RAMPART_STATE_URL_FILE: 'url' })).toMatchObject({
      ok: false,
      problems: [
        { code: 'configuration', message: 'RAMPART_STATE_URL and RAMPART_STATE_URL_FILE are both set' },
      ],
    });
  });

  it.each(['postgres://db/state', 'postgresql://db/state'])('may be %s', (given) => {
    expect(read({ RAMPART_STATE_URL: given })).toMatchObject({ ok: true, value: given });
  });

  it.each([
    'mysql://rampart:s3cret@db/state',
    'rampart:s3cret@db',
    `x${url}`,
    'postgresql://a b:s3cret@db',
    'postgresql://rampart:s3cret@db:99999999/state',
  ])('is refused if it is invalid, and not repeated: %s', (given) => {
    writeFileSync(join(folder, 'url'), given);
    for (const env of [{ RAMPART_STATE_URL: given }, { RAMPART_STATE_URL_FILE: 'url' }]) {
      const { ok, problems } = read(env);
      expect(ok).toBe(false);
      expect(problems).toMatchObject([
        { code: 'configuration', hint: expect.stringContaining('postgresql://') },
      ]);
      expect(problems[0]?.message).toContain(Object.keys(env)[0]);
      expect(JSON.stringify(problems)).not.toContain('s3cret');
    }
  });

  it.each([
    ['is not there', 'missing'],
    ['is a folder', '.'],
  ])('is not read from a file that %s', (_what, file) => {
    const { ok, problems } = read({ RAMPART_STATE_URL_FILE: file });
    expect(ok).toBe(false);
    expect(problems[0]?.message).toContain(`the file ${file} `);
  });

  it('is not read from a file with more than one line', () => {
    writeFileSync(join(folder, 'url'), `${url}\n${url}\n`);
    const { ok, problems } = read({ RAMPART_STATE_URL_FILE: 'url' });
    expect(ok).toBe(false);
    expect(JSON.stringify(problems)).not.toContain('s3cret');
  });
});

describe('the secrets in the address of the state', () => {
  it('are the password encoded and decoded, and not the host, which messages name', () => {
    const given = 'postgresql://rampart:s3%20cret@database.internal.example.com:5432/state';
    expect(secretsOfUrl(given)).toEqual(['s3%20cret', 's3 cret']);
    const { hide, redact } = createRedaction();
    hide(secretsOfUrl(given));
    expect(redact('the database state on database.internal.example.com:5432')).not.toContain('[secret]');
    expect(redact(given)).toBe('postgresql://rampart:[secret]@database.internal.example.com:5432/state');
  });
  it('do not include an empty text if there is no password', () => {
    expect(secretsOfUrl('postgresql://db/state')).toEqual([]);
  });
  it('include a query, which may contain a password', () => {
    expect(secretsOfUrl('postgresql://db/state?password=s3cret')).toEqual(['?password=s3cret']);
  });
  it('include the user if the password is too short to be hidden alone', () => {
    const { hide, redact } = createRedaction();
    hide(secretsOfUrl('postgresql://rampart:pw@db/state'));
    expect(redact('postgresql://rampart:pw@db/state')).toBe('postgresql:[secret]db/state');
  });
  it("include the literal password if it can't be decoded", () => {
    const given = 'postgresql://rampart:secret100%@db/state';
    expect(new Set(secretsOfUrl(given))).toEqual(new Set(['secret100%']));
  });
  it('are the whole text if it is not an address', () => {
    expect(secretsOfUrl('s3cret')).toEqual(['s3cret']);
  });
});
