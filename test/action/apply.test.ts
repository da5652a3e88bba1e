import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSigningKey } from '../../src/run/signature/ssh-key.ts';
import { checkout } from '../given/action-step.ts';
import { givenService } from '../given/command-line.ts';
import { botLogin, githubStandIn } from '../given/github-stand-in.ts';

const desired = 'version: 1\nhosts:\n  - { id: 1, name: ONE }\n';
const merge = '6dcb09b5b57875f334f61aebed695e2e4193db5e';

/** A pull request whose plan was commented on. */
async function reviewed() {
  const github = await githubStandIn();
  const place = await checkout(github);
  await place.write('fleet.yaml', desired);
  const { env, emulator } = await givenService({
    hosts: [
      { id: '1', name: 'one' },
      { id: '2', name: 'two' },
    ],
  });
  const { outputs } = await place.step({ event: 'pull_request', env });
  github.requests.length = 0;
  const names = () => [...emulator.state().hosts.values()].map(({ name }) => name);
  return { github, place, env, names, checksum: outputs['checksum'] ?? '' };
}

const apply = { mode: 'apply' };

describe('after the merge', () => {
  it('applies the plan that the comment on the pull request shows', async () => {
    const { github, place, env, names } = await reviewed();
    github.pulls.set(merge, [
      { number: 9, merged_at: null, merge_commit_sha: merge },
      { number: 12, merged_at: '2026-11-20T10:00:00Z', merge_commit_sha: merge },
    ]);
    const { code, summary, outputs, log } = await place.step({ event: 'push', env, inputs: apply });
    expect({ code, log }).toMatchObject({ code: 0 });
    expect(names()).toEqual(['ONE', 'two']);
    expect(summary).toContain('Done: the fleet matches the plan.');
    expect(outputs).toMatchObject({ changes: '1', renames: '1', 'exit-code': '0' });
    expect(github.requests.map(({ path }) => path)).toContain('/repos/acme/fleet/issues/12/comments');
  });

  it('finds the pull request in the event if its merge started the workflow', async () => {
    const { place, env, names } = await reviewed();
    expect((await place.step({ event: 'pull_request.merged', env, inputs: apply })).code).toBe(0);
    expect(names()).toEqual(['ONE', 'two']);
  });

  it('finds nothing to do on the second run', async () => {
    const { place, env, checksum } = await reviewed();
    const again = { env, inputs: { ...apply, checksum } };
    expect((await place.step(again)).code).toBe(0);
    const { code, log } = await place.step(again);
    expect({ code, log }).toMatchObject({ code: 7 });
  });

  it('refuses a plan that differs from the reviewed one, and shows it for a new review', async () => {
    const { place, env, names } = await reviewed();
    await place.write('fleet.yaml', `${desired}  - { id: 2, name: TWO }\n`);
    const { code, summary, outputs, annotations } = await place.step({
      event: 'pull_request.merged',
      env,
      inputs: apply,
    });
    expect(code).toBe(7);
    expect(names()).toEqual(['one', 'two']);
    expect(summary).toContain('## Rampart apply');
    expect(summary).toContain('Rename 2 hosts');
    expect(annotations.some(({ kind }) => kind === 'error')).toBe(true);
    const agreed = await place.step({ env, inputs: { ...apply, checksum: outputs['checksum'] ?? '' } });
    expect(agreed.code).toBe(0);
    expect(names()).toEqual(['ONE', 'TWO']);
  });
});

it('with RAMPART_REQUIRE_SIGNATURE applies the signed plan of an earlier job, and nothing that is not signed', async () => {
  const { place, env, names } = await reviewed();
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const key = readSigningKey(pem, 'key');
  await place.write('signing.key', pem);
  await place.write('signers', `ci ssh-ed25519 ${key.ok && key.value.publicBlob.toString('base64')}\n`);
  const signing = { ...env, RAMPART_SIGNING_KEY_FILE: 'signing.key' };
  const inputs = { sign: 'true', 'plan-path': 'plan.json' };
  expect((await place.step({ event: 'pull_request', env: signing, inputs })).code).toBe(0);
  const required = { ...env, RAMPART_REQUIRE_SIGNATURE: 'ci', RAMPART_ALLOWED_SIGNERS: 'signers' };
  const merged = (more: object) =>
    place.step({ event: 'pull_request.merged', env: required, inputs: { ...apply, ...more } });
  const unsigned = await merged({});
  expect(unsigned.code).not.toBe(0);
  expect(names()).toEqual(['one', 'two']);
  const { code, log, summary } = await merged({ 'plan-path': 'plan.json' });
  expect({ code, log }).toMatchObject({ code: 0 });
  expect(summary).toContain('Done: the fleet matches the plan.');
  expect(names()).toEqual(['ONE', 'two']);
});

describe('nothing is applied', () => {
  it("if a stranger's comment claims to contain the reviewed plan", async () => {
    const { github, place, env, names } = await reviewed();
    const body = github.comments[0]?.body ?? '';
    github.comments.splice(0, 1, { id: 1, user: { login: 'mallory' }, body });
    const { code, annotations } = await place.step({ event: 'pull_request.merged', env, inputs: apply });
    expect(code).toBe(6);
    expect(annotations[0]?.message).toContain('has no Rampart comment');
    expect(names()).toEqual(['one', 'two']);
  });

  it('without a plan that was reviewed for this merge', async () => {
    const { github, place, env, names, checksum } = await reviewed();
    const ended = (event: string, inputs: object = {}) =>
      place.step({ event, env, inputs: { ...apply, ...inputs } });
    for (const [event, message] of [
      ['pull_request', 'is not merged'],
      ['push', 'not the merge of a pull request'],
      ['schedule', 'no plan was reviewed'],
      ['workflow_dispatch', 'no plan was reviewed'],
    ] as const) {
      const { code, annotations, summary } = await ended(event);
      expect([event, code]).toEqual([event, 6]);
      expect(annotations[0]?.message).toContain(message);
      expect(summary).toContain('Nothing was changed.');
    }
    expect((await ended('pull_request.merged', { 'comment-key': 'lisbon' })).code).toBe(6);
    expect((await ended('schedule', { checksum, observed: 'fleet.snapshot.json' })).code).toBe(3);
    const body = `> ${github.comments[0]?.body ?? ''}`;
    github.comments.splice(0, 1, { id: 1, user: { login: botLogin }, body });
    expect((await ended('pull_request.merged')).code).toBe(6);
    github.fault = ({ path }) => (path.endsWith('/comments') ? { status: 500, body: {} } : undefined);
    expect((await ended('pull_request.merged')).code).toBe(1);
    expect(names()).toEqual(['one', 'two']);
  });
});
