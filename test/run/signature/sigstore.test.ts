import { describe, expect, it } from 'vitest';
import { checkSignature } from '../../../src/run/signature/check-signature.ts';
import { signPlanKeyless } from '../../../src/run/signature/sign-plan.ts';
import { readTrustedRoot } from '../../../src/run/signature/sigstore-verify.ts';
import { githubIssuer, idToken, sigstoreInstance } from '../../given/sigstore-instance.ts';

const now = Date.now();
const hour = 3_600_000;
const account = { companyId: '1234567890', service: 'https://remote.example.com' };
const subject = { sha256: 'a'.repeat(64), checksum: 'b'.repeat(64), account };
const options = { origin: { actor: 'ci', host: 'runner' }, now, lifeMs: hour };
const pipeline = 'https://github.com/acme/fleet/.github/workflows/plan.yml@refs/heads/main';
const who = `${pipeline} ${githubIssuer}`;

interface SignedFile {
  readonly statement: string;
  readonly bundle: { readonly verificationMaterial: object };
}

function identitiesOf(root: string) {
  const read = readTrustedRoot(root, 'root.json');
  if (!read.ok) throw new Error('no root');
  return read.value;
}

async function signed(): Promise<{ readonly text: string; readonly root: string }> {
  const root = await sigstoreInstance();
  const made = await signPlanKeyless(subject, idToken(pipeline), options);
  if (!made.ok) throw new Error(made.problems[0]?.message);
  return { text: made.value, root };
}
const { text, root } = await signed();
const rules = { allowed: [], identityOf: identitiesOf(root), required: [[who]], now };
const refusal = (file: string, change: object = {}) => {
  const checked = checkSignature(file, 'plan.json.sig', subject, { ...rules, ...change });
  return checked.ok ? 'accepted' : checked.problems[0]?.message;
};
const edited = (change: (file: SignedFile) => object) => {
  const file = JSON.parse(text) as SignedFile;
  return JSON.stringify({ ...file, ...change(file) });
};
const invalid = 'the signature does not match its statement, or was edited';

describe('a plan that a pipeline signs without a key', () => {
  it('is accepted offline from exactly this pipeline, with its issuer', () => {
    const checked = checkSignature(text, 'plan.json.sig', subject, rules);
    expect(checked).toMatchObject({
      ok: true,
      value: { signers: [who], statement: { sha256: subject.sha256 } },
    });
  });

  it('is signed and accepted again with another instance', async () => {
    const again = await signed();
    expect(
      checkSignature(again.text, 'f', subject, { ...rules, identityOf: identitiesOf(again.root) }),
    ).toMatchObject({
      ok: true,
      value: { signers: [who] },
    });
  });

  it.each([
    ['another workflow', `${pipeline.replace('plan', 'other')} ${githubIssuer}`],
    ['a pull request', `${pipeline.replace('heads/main', 'pull/7/merge')} ${githubIssuer}`],
    ['another issuer', `${pipeline} https://gitlab.com`],
    ['an identity without its issuer', pipeline],
  ])('is refused if %s is required', (_, required) => {
    expect(refusal(text, { required: [[required]] })).toBe(
      `the plan is signed by "${who}", and must be signed by "${required}"`,
    );
  });

  it.each([
    [
      'its statement was edited',
      () => edited(({ statement }) => ({ statement: statement.replace('aaa', 'abc') })),
    ],
    ['its bundle is empty', () => edited(() => ({ bundle: {} }))],
    [
      'it has no entry in a transparency log',
      () =>
        edited(({ bundle }) => ({
          bundle: { ...bundle, verificationMaterial: { ...bundle.verificationMaterial, tlogEntries: [] } },
        })),
    ],
  ])('is refused if %s', (_, file) => {
    expect(refusal(file())).toBe(invalid);
  });

  it('is refused if another instance certified it, or no instance is trusted', async () => {
    expect(refusal(text, { identityOf: identitiesOf(await sigstoreInstance()) })).toBe(invalid);
    expect(refusal(text, { identityOf: undefined })).toBe(
      'the plan is signed with Sigstore, and RAMPART_SIGSTORE_ROOT is not set',
    );
  });

  it('is refused if it is another plan, or expired', () => {
    expect(checkSignature(text, 'x', { ...subject, sha256: 'c'.repeat(64) }, rules).ok).toBe(false);
    expect(refusal(text, { now: now + hour })).toContain('the signature expired');
  });

  it('is not signed with an invalid token, and no problem quotes it', async () => {
    const secret = 'eyJzZWNyZXQ';
    const made = await signPlanKeyless(subject, secret, options);
    expect(made).toMatchObject({
      ok: false,
      problems: [{ message: 'Sigstore did not sign the plan (IDENTITY_TOKEN_PARSE_ERROR)' }],
    });
    expect(JSON.stringify(made)).not.toContain(secret);
  });

  it.each(['', '{', '[]', '{"tlogs": 1}', '{"mediaType": "x"}'])(
    'needs a trusted root, which "%s" is not',
    (given) => {
      expect(readTrustedRoot(given, 'root.json')).toMatchObject({
        ok: false,
        problems: [
          {
            message: 'root.json is not a trusted root of Sigstore',
            code: 'configuration',
            place: { file: 'root.json', line: 1, col: 1 },
          },
        ],
      });
    },
  );
});
