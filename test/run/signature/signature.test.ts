import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProblemCode } from '../../../src/core/problem/problem-code.ts';
import { readAllowedSigners } from '../../../src/run/signature/allowed-signers.ts';
import { checkSignature } from '../../../src/run/signature/check-signature.ts';
import { signPlan } from '../../../src/run/signature/sign-plan.ts';
import { readSigningKey, type SigningKey } from '../../../src/run/signature/ssh-key.ts';
import { signerOf, signText } from '../../../src/run/signature/ssh-signature.ts';
import { sshString } from '../../../src/run/signature/ssh-wire.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-21T09:00:00Z');

function newKey(type: 'ed25519' = 'ed25519'): SigningKey {
  const pem = generateKeyPairSync(type).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const read = readSigningKey(pem.toString(), 'key');
  if (!read.ok) throw new Error('no key');
  return read.value;
}

const alice = newKey();
const mallory = newKey();
const account = { companyId: '1234567890', service: 'https://remote.example.com' };
const subject = { sha256: 'a'.repeat(64), checksum: 'b'.repeat(64), account };
const origin = { actor: 'alice', host: 'laptop', commit: '1'.repeat(40) };
const options = { origin, now, lifeMs: 48 * hour };
const allowed = [{ names: ['alice@example.com', 'alice'], publicBlob: alice.publicBlob }];
const rules = { allowed, required: [['alice']], now: now + hour };
const signed = signPlan(subject, alice, options);

type File = { statement: string; signature: string };
const edited = (change: (file: File) => Partial<File>) => {
  const file = JSON.parse(signed) as File;
  return JSON.stringify({ ...file, ...change(file) });
};
const withStatement = (change: object, key: SigningKey) => {
  const statement = JSON.stringify({ ...JSON.parse((JSON.parse(signed) as File).statement), ...change });
  return JSON.stringify({ statement, signature: signText(statement, key) });
};

describe('the signature of a plan', () => {
  it('is accepted with its contents: the plan, the account, the commit, who planned, and until when', () => {
    const checked = checkSignature(signPlan(subject, alice, options), 'plan.json.sig', subject, rules);
    expect(checked).toEqual({
      ok: true,
      problems: [],
      value: {
        signers: ['alice@example.com', 'alice'],
        statement: {
          type: 'rampart-plan-signature/1',
          checksum: subject.checksum,
          sha256: subject.sha256,
          account: { company_id: '1234567890', service: 'https://remote.example.com' },
          commit: '1'.repeat(40),
          planned_by: { actor: 'alice', from: 'laptop' },
          signed_at: '2026-11-21T09:00:00.000Z',
          expires_at: '2026-11-23T09:00:00.000Z',
        },
      },
    });
  });

  it('names the job instead of the machine, and no commit outside a repository', () => {
    const made = signPlan(subject, alice, {
      ...options,
      origin: { actor: 'bot', host: 'runner', job: 'https://ci.example.com/7' },
    });
    expect(checkSignature(made, 'f', subject, rules)).toMatchObject({
      value: {
        statement: { commit: null, planned_by: { actor: 'bot', from: 'https://ci.example.com/7' } },
      },
    });
  });

  interface Refused {
    readonly text?: string;
    /** What differs in the plan that the signature is compared with. */
    readonly about?: Partial<Parameters<typeof checkSignature>[2]>;
    readonly given?: Partial<Parameters<typeof checkSignature>[3]>;
    readonly code?: ProblemCode;
  }
  const anotherAccount = { code: 'other-account' } as const;
  const stale = { code: 'stale-plan' } as const;
  const later = edited(({ signature }) => ({
    signature: signature.replace(/(?<=\n.{70}\n.{20})./, (each) => (each === 'A' ? 'B' : 'A')),
  }));
  it.each<[string, Refused, string]>([
    ['no JSON', { text: 'not JSON' }, 'this is not the signature of a plan'],
    ['another member', { text: JSON.stringify({ ...JSON.parse(signed), more: 1 }) }, 'not the sig'],
    [
      'an edited statement',
      { text: edited(({ statement }) => ({ statement: statement.replace('laptop', 'server') })) },
      'does not match its statement',
    ],
    ['an edited signature', { text: later }, 'does not match'],
    [
      'the signature of another statement',
      { text: edited(() => ({ signature: signText('{}\n', alice) })) },
      'does not match',
    ],
    ['a foreign key', { text: signPlan(subject, mallory, options) }, 'not among the allowed signers'],
    ['no allowed signers', { given: { allowed: [] } }, 'not among the allowed signers'],
    [
      'another signer than required',
      { given: { required: [['bob', 'carol']] } },
      'must be signed by "bob" or "carol"',
    ],
    [
      'one of two requirements unmet',
      { given: { required: [['alice'], ['bob']] } },
      'must be signed by "bob"',
    ],
    ['a requirement without a name', { given: { required: [[]] } }, 'must be signed by'],
    ['another checksum', { about: { checksum: 'c'.repeat(64) } }, 'is for another plan'],
    ['another file', { about: { sha256: 'c'.repeat(64) } }, 'is for another plan'],
    [
      'another account',
      { about: { account: { ...account, companyId: '7' } }, ...anotherAccount },
      'another account',
    ],
    [
      'another service',
      { about: { account: { ...account, service: 'x' } }, ...anotherAccount },
      'another account',
    ],
    ['an index in place of a plan', { about: { account: null }, ...anotherAccount }, 'another account'],
    [
      'a plan in place of an index',
      { text: signPlan({ ...subject, account: null }, alice, options), ...anotherAccount },
      'another account',
    ],
    [
      'its last moment past',
      { given: { now: now + 48 * hour }, ...stale },
      'expired at 2026-11-23T09:00:00.000Z',
    ],
    ['a time in the future', { given: { now: now - 301_000 }, ...stale }, 'in the future'],
    ['a statement of another type', { text: withStatement({ type: 'other/1' }, alice) }, 'another form'],
    ['a statement with more members', { text: withStatement({ approved: true }, alice) }, 'another form'],
  ])(
    'is refused with a location for %s',
    (_what, { text = signed, about, given, code = 'not-approved' }, message) => {
      const checked = checkSignature(text, 'plan.json.sig', { ...subject, ...about }, { ...rules, ...given });
      expect(checked).toMatchObject({
        ok: false,
        problems: [{ code, place: { file: 'plan.json.sig', line: 1, col: 1 } }],
      });
      expect(checked.problems).toHaveLength(1);
      expect(checked.problems[0]?.message).toContain(message);
      expect(checked.problems[0]?.hint).not.toBe('');
    },
  );

  it('is valid until just before it expires, and with clocks that differ by five minutes', () => {
    for (const at of [now + 48 * hour - 1, now - 300_000])
      expect(checkSignature(signed, 'f', subject, { ...rules, now: at }).ok).toBe(true);
  });
});

describe('a signature of an identity', () => {
  const { statement } = JSON.parse(signed) as File;
  const bundled = JSON.stringify({ statement, bundle: { a: 1 } });

  it('is accepted for the identity that its bundle certifies', () => {
    const identityOf = (given: string, bundle: unknown) =>
      given === statement && JSON.stringify(bundle) === '{"a":1}' ? 'job issuer' : undefined;
    const checked = checkSignature(bundled, 'f', subject, {
      ...rules,
      required: [['job issuer']],
      identityOf,
    });
    expect(checked).toMatchObject({
      ok: true,
      value: { signers: ['job issuer'], statement: { commit: '1'.repeat(40) } },
    });
  });

  it('is refused if the bundle certifies nobody, or somebody else', () => {
    const refusalFor = (identity: string | undefined) =>
      checkSignature(bundled, 'f', subject, { ...rules, identityOf: () => identity }).problems[0]?.message;
    expect(refusalFor(undefined)).toBe('the signature does not match its statement, or was edited');
    expect(refusalFor('job issuer')).toBe(
      'the plan is signed by "job issuer", and must be signed by "alice"',
    );
  });
});

describe('a signature of SSH', () => {
  it('accepts exactly this text with the key, and refuses any text that differs in one place', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, at) => {
        const armored = signText(text, alice);
        expect(signerOf(text, armored)).toEqual(alice.publicBlob);
        const cut = at % text.length;
        expect(signerOf(text.slice(0, cut) + text.slice(cut + 1), armored)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it('of ssh-keygen is accepted', () => {
    const armored = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgeL9kllqb1xuoFb1QGlAir2lRMc
ueNlpdGiXqzUN2j94AAAAMcmFtcGFydC1wbGFuAAAAAAAAAAZzaGE1MTIAAABTAAAAC3Nz
aC1lZDI1NTE5AAAAQEuinztq/3Qy/fx0pZcRS9ZWxvURqpQiUsWg40AdF0yEWU/TYm0Vdi
Iwhmpo3r5l9IebqhOk/0mnFnmiv4/ZTgE=
-----END SSH SIGNATURE-----
`;
    expect(signerOf('hello\n', armored)?.toString('base64')).toBe(
      'AAAAC3NzaC1lZDI1NTE5AAAAIHi/ZJZam9cbqBW9UBpQIq9pUTHLnjZaXRol6s1Ddo/e',
    );
    expect(signerOf('hello', armored)).toBeUndefined();
  });

  it('is refused if any byte of it changes, is missing or is added', () => {
    const armored = signText('text', alice);
    const bytes = Buffer.from(armored.replaceAll(/-----.*-----/g, ''), 'base64');
    const armor = (blob: Buffer) =>
      `-----BEGIN SSH SIGNATURE-----\n${blob.toString('base64').replace(/.{1,70}/g, '$&\n')}-----END SSH SIGNATURE-----\n`;
    expect(armor(bytes)).toBe(armored);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(signerOf('text', armor(changed)), `byte ${at}`).toBeUndefined();
      expect(signerOf('text', armor(bytes.subarray(0, at))), `first ${at} bytes`).toBeUndefined();
    }
    expect(signerOf('text', armor(Buffer.concat([bytes, Buffer.from([0])])))).toBeUndefined();
    expect(signerOf('text', `${armored}more`)).toBeUndefined();
    // The bytes of the signature itself are the last 83; a length of four bytes comes before them.
    const inner = Buffer.concat([bytes.subarray(-83), Buffer.from([0])]);
    expect(
      signerOf('text', armor(Buffer.concat([bytes.subarray(0, -87), sshString(inner)]))),
    ).toBeUndefined();
  });

  it('is refused for another namespace, so that a signed commit or file is no signed plan', () => {
    const blobFor = (space: string, inner: string, digest = Buffer.alloc(64), algorithm = 'sha512') => {
      const signedBytes = Buffer.concat([
        Buffer.from('SSHSIG'),
        sshString(inner),
        sshString(''),
        sshString(algorithm),
        sshString(digest),
      ]);
      const signature = sign(null, signedBytes, alice.key);
      return Buffer.concat([
        Buffer.from('SSHSIG'),
        Buffer.from([0, 0, 0, 1]),
        sshString(alice.publicBlob),
        sshString(space),
        sshString(''),
        sshString(algorithm),
        sshString(Buffer.concat([sshString('ssh-ed25519'), sshString(signature)])),
      ]).toString('base64');
    };
    for (const blob of [blobFor('git', 'git'), blobFor('file', 'file'), blobFor('rampart-plan', 'git')])
      expect(
        signerOf('text', `-----BEGIN SSH SIGNATURE-----\n${blob}\n-----END SSH SIGNATURE-----\n`),
      ).toBeUndefined();
    const ofText = (algorithm: string) => createHash(algorithm).update('text').digest();
    const own = (algorithm: string) => blobFor('rampart-plan', 'rampart-plan', ofText(algorithm), algorithm);
    const armor = (blob: string) => `-----BEGIN SSH SIGNATURE-----\n${blob}\n-----END SSH SIGNATURE-----\n`;
    for (const algorithm of ['sha256', 'sha512'])
      expect(signerOf('text', armor(own(algorithm)))).toEqual(alice.publicBlob);
    expect(signerOf('text', armor(own('sha384')))).toBeUndefined();
  });
});

describe('keys', () => {
  /** As ssh-keygen writes it, without its comment. */
  function openSsh(seed: Buffer, publicKey: Buffer, cipher = 'none'): string {
    const pair = Buffer.concat([sshString('ssh-ed25519'), sshString(publicKey)]);
    const inner = Buffer.concat([
      Buffer.alloc(8, 7),
      pair,
      sshString(Buffer.concat([seed, publicKey])),
      sshString('comment'),
    ]);
    const outer = Buffer.concat([
      Buffer.from('openssh-key-v1\0', 'latin1'),
      sshString(cipher),
      sshString('none'),
      sshString(''),
      Buffer.from([0, 0, 0, 1]),
      sshString(pair),
      sshString(inner),
    ]);
    return `-----BEGIN OPENSSH PRIVATE KEY-----\n${outer.toString('base64').replace(/.{1,70}/g, '$&\n')}-----END OPENSSH PRIVATE KEY-----\n`;
  }
  const der = alice.key.export({ type: 'pkcs8', format: 'der' });
  const seed = der.subarray(-32);
  const publicKey = alice.publicBlob.subarray(-32);

  it('of ssh-keygen and of openssl are the same key', () => {
    const read = readSigningKey(openSsh(seed, publicKey), 'key');
    expect(read).toMatchObject({ ok: true });
    if (read.ok) expect(read.value.publicBlob).toEqual(alice.publicBlob);
  });

  it('with a passphrase, of another type, or broken are refused without quoting them', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const texts = [
      openSsh(seed, publicKey, 'aes256-ctr'),
      openSsh(seed.subarray(1), publicKey),
      rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
      '-----BEGIN OPENSSH PRIVATE KEY-----\n',
      'secret text',
    ];
    for (const text of texts) {
      const read = readSigningKey(text, 'plan-key');
      expect(read.problems).toMatchObject([
        { code: 'configuration', message: 'plan-key is not an Ed25519 key without a passphrase' },
      ]);
    }
    expect(createPrivateKey(texts[2] ?? '').asymmetricKeyType).toBe('rsa');
  });
});

describe('a file of allowed signers', () => {
  const key = alice.publicBlob.toString('base64');
  const longer = Buffer.concat([alice.publicBlob, Buffer.from([0])]);
  const shorter = Buffer.concat([sshString('ssh-ed25519'), sshString(Buffer.alloc(31, 1))]);

  it('has names and a key on each line, comments, and empty lines', () => {
    const text = `# people\n\n  alice@example.com,alice ssh-ed25519 ${key} laptop of Alice\r\n`;
    expect(readAllowedSigners(text, 'signers')).toEqual({ ok: true, problems: [], value: allowed });
  });

  it.each([
    ['a pattern', `*@example.com ssh-ed25519 ${key}`, 'pattern'],
    ['an excluded name', `!bob,alice ssh-ed25519 ${key}`, 'pattern'],
    ['options', `alice namespaces="git" ssh-ed25519 ${key}`, 'options'],
    ['a certificate authority', `alice cert-authority ssh-ed25519 ${key}`, 'options'],
    ['a key of another type', `alice ssh-rsa ${key}`, 'not of the type'],
    ['no key', 'alice ssh-ed25519', 'not of the type'],
    ['half a key', `alice ssh-ed25519 ${key.slice(0, 40)}`, 'no valid key'],
    ['more than a key', `alice ssh-ed25519 ${longer.toString('base64')}`, 'no valid key'],
    ['a short key', `alice ssh-ed25519 ${shorter.toString('base64')}`, 'no valid key'],
  ])('is refused at the line with %s', (_what, bad, why) => {
    const { ok, problems } = readAllowedSigners(`alice ssh-ed25519 ${key}\n${bad}\n`, 'signers');
    expect(ok).toBe(false);
    expect(problems).toMatchObject([
      { code: 'configuration', place: { file: 'signers', line: 2, col: 1, wholeLine: true } },
    ]);
    expect(problems[0]?.message).toContain(why);
  });
});
