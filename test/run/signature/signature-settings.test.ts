import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requiredSigners } from '../../../src/run/signature/required-signers.ts';
import {
  openSigningKey,
  pipelineIdentity,
  readSigners,
} from '../../../src/run/signature/signature-settings.ts';
import { readSigningKey } from '../../../src/run/signature/ssh-key.ts';
import { givenFolder } from '../../given/given-folder.ts';
import { sigstoreInstance } from '../../given/sigstore-instance.ts';

const folder = givenFolder();
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const key = readSigningKey(pem, 'key');
if (!key.ok) throw new Error('no key');
const { publicBlob } = key.value;
writeFileSync(join(folder, 'key'), pem);
writeFileSync(join(folder, 'signers'), `alice ssh-ed25519 ${publicBlob.toString('base64')}\n`);
writeFileSync(join(folder, 'bad'), 'alice\n');
writeFileSync(join(folder, 'root.json'), await sigstoreInstance());

const settings = (env: Readonly<Record<string, string>>) => ({
  env,
  path: (shown: string) => join(folder, shown),
});

describe('the names that must sign', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['alice', ['alice']],
    [' alice , bob,', ['alice', 'bob']],
    [',', []],
    ['https://a/b https://issuer', ['https://a/b https://issuer']],
  ])('in %j are %j', (value, names) => {
    expect(requiredSigners(value === undefined ? {} : { RAMPART_REQUIRE_SIGNATURE: value })).toEqual(names);
  });
});

describe('the identity of a pipeline', () => {
  const url = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://example.com' };
  const request = { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 't' };
  it.each([
    ['is none on a laptop', {}, undefined],
    ['is the token of GitLab', { SIGSTORE_ID_TOKEN: 'jwt' }, { token: 'jwt' }],
    ['is one that GitHub gives', { ...url, ...request }, {}],
    ['is none if the job of GitHub may not ask for it', url, undefined],
    ['is none without an address to ask', request, undefined],
    [
      'is not used if there is a key',
      { SIGSTORE_ID_TOKEN: 'jwt', RAMPART_SIGNING_KEY_FILE: 'key' },
      undefined,
    ],
    [
      'is used if the key is empty',
      { SIGSTORE_ID_TOKEN: 'jwt', RAMPART_SIGNING_KEY_FILE: '' },
      { token: 'jwt' },
    ],
  ])('%s', (_, env, identity) => {
    expect(pipelineIdentity(env)).toEqual(identity);
  });
});

describe('the required signers', () => {
  const keys = { RAMPART_ALLOWED_SIGNERS: 'signers' };
  const root = { RAMPART_SIGSTORE_ROOT: 'root.json' };

  it('are the names of keys, the identities of an instance of Sigstore, or both', async () => {
    const allowed = [{ names: ['alice'], publicBlob }];
    expect(await readSigners(settings(keys))).toEqual({ ok: true, value: { allowed }, problems: [] });
    const identityOf = expect.any(Function);
    expect(await readSigners(settings(root))).toMatchObject({ value: { allowed: [], identityOf } });
    expect(await readSigners(settings({ ...keys, ...root }))).toMatchObject({
      value: { allowed, identityOf },
    });
    const both = await readSigners(settings({ ...keys, ...root }));
    expect(both.ok && both.value.identityOf?.('statement', {})).toBeUndefined();
  });

  it.each([
    ['neither is named', {}, 'a signature is required, and RAMPART_ALLOWED_SIGNERS is not set'],
    ['the file of keys is missing', { RAMPART_ALLOWED_SIGNERS: 'none' }, 'the file none does not exist'],
    ['a line of keys is wrong', { RAMPART_ALLOWED_SIGNERS: 'bad', ...root }, 'this line of allowed signers'],
    ['the root is missing', { ...keys, RAMPART_SIGSTORE_ROOT: 'none' }, 'the file none does not exist'],
    ['the root is no root', { ...keys, RAMPART_SIGSTORE_ROOT: 'signers' }, 'signers is not a trusted root'],
  ])('are unknown if %s', async (_, env, message) => {
    const read = await readSigners(settings(env));
    expect(read).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining(message) }] });
  });
});

describe('the key of this process', () => {
  it.each([
    [{}, 'there is no key to sign the plan with'],
    [{ RAMPART_SIGNING_KEY_FILE: 'none' }, 'the file none does not exist'],
    [{ RAMPART_SIGNING_KEY_FILE: 'signers' }, 'signers is not an Ed25519 key without a passphrase'],
  ])('with %j is refused', async (env, message) => {
    expect(await openSigningKey(settings(env))).toMatchObject({ ok: false, problems: [{ message }] });
  });

  it('is read from its file', async () => {
    expect(await openSigningKey(settings({ RAMPART_SIGNING_KEY_FILE: 'key' }))).toMatchObject({
      value: { publicBlob },
    });
  });
});
