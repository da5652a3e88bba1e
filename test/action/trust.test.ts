import { describe, expect, it } from 'vitest';
import { checkout } from '../given/action-step.ts';
import { givenService, testPsk } from '../given/command-line.ts';
import { githubStandIn } from '../given/github-stand-in.ts';
import { hostileNames } from '../given/hostile-names.ts';
import { elementsOf, proseOf, renderMarkdown } from '../given/rendered-markdown.ts';

const hosts = [{ id: '1', name: 'one' }];
const script = 'export default { version: 1, hosts: [{ id: 1, name: "ONE" }] };\n';

async function given(
  options: Parameters<typeof givenService>[1] = {},
  fleet: Parameters<typeof givenService>[0] = { hosts },
) {
  const github = await githubStandIn();
  const place = await checkout(github);
  const { env } = await givenService(fleet, options);
  return { github, place, env };
}

describe('a pull request of a fork', () => {
  it.each(['pull_request.fork', 'pull_request.deleted-fork'])("can't add programs: %s", async (event) => {
    const { github, place, env } = await given();
    await place.write('fleet.ts', script);
    const { code, annotations } = await place.step({ event, env });
    expect(code).toBe(6);
    expect(annotations).toEqual([
      expect.objectContaining({ title: 'Rampart: not-approved', file: 'fleet.ts' }),
    ]);
    expect(github.requests).toEqual([]);
  });

  it('can if it is trusted or if it is not a fork', async () => {
    const { place, env } = await given();
    await place.write('fleet.ts', script);
    const event = 'pull_request.fork';
    expect((await place.step({ event, env, inputs: { 'trust-forks': 'true' } })).code).toBe(0);
    expect((await place.step({ event: 'pull_request', env })).code).toBe(0);
  });

  it('is not applied', async () => {
    const { place, env } = await given();
    await place.write('fleet.yaml', 'version: 1\nhosts: []\n');
    const inputs = { mode: 'apply', checksum: 'a'.repeat(64) };
    expect((await place.step({ event: 'pull_request.fork', env, inputs })).code).toBe(6);
  });

  it('is planned from YAML', async () => {
    const { place, env } = await given();
    await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: ONE }]\n');
    expect((await place.step({ event: 'pull_request.fork', env })).code).toBe(0);
  });
});

describe('hosts with hostile names', () => {
  const all = [
    ...hostileNames,
    '##[set-output name=changes]0',
    '::error::x',
    '%0A::error::x',
    '--> <!-- x',
    'ghadelimiter_x',
  ];
  const listed = all.map((name, index) => ({ id: String(index + 1), name }));
  const entries = listed
    .map(({ id }) => `  - { id: ${id}, name: "N${id}", group: Nowhere ${id} }\n`)
    .join('');

  it('add only text to the comment and the summary', async () => {
    const { github, place, env } = await given({}, { hosts: listed });
    await place.write('fleet.yaml', `version: 1\nhosts:\n${entries.replaceAll(/, group: Nowhere \d+/g, '')}`);
    const { code, summary } = await place.step({ event: 'pull_request', env });
    expect(code).toBe(0);
    const body = github.comments[0]?.body ?? '';
    for (const markdown of [body, summary]) {
      const html = renderMarkdown(markdown).replace(/^<!-- rampart plan [^>]* -->\n/, '');
      expect(elementsOf(html).toSorted()).toEqual(
        'a code details h2 h3 p strong sub summary table tbody td th thead tr'
          .split(' ')
          .filter((name) => name !== 'a' || markdown === body),
      );
      expect(html).not.toContain('<!--');
      expect(proseOf(html)).not.toMatch(/@org|evil\.example|#12/);
    }
    expect(body).toMatch(/^<!-- rampart plan key=default checksum=[0-9a-f]{64} head=[0-9a-f]{40} -->\n/);
  });

  it('add no line of their own to a log or an annotation', async () => {
    const { place, env } = await given({}, { hosts: listed });
    await place.write('fleet.yaml', `version: 1\nhosts:\n${entries}`);
    const { log, annotations, outputs } = await place.step({ event: 'pull_request', env });
    expect(log.split('\n').filter((line) => line.startsWith('::'))).toEqual([]);
    for (const { message, title, file } of annotations) {
      expect(message.split('\n').length).toBeLessThanOrEqual(2);
      expect(`${title}${file}`).not.toContain('\n');
    }
    for (const value of Object.values(outputs)) expect(value).not.toContain('\n');
  });
});

describe('the key is shown nowhere', () => {
  const desired = 'version: 1\nhosts: [{ id: 1, name: ONE }]\n';
  const echo = (status: number) =>
    ({
      faults: [
        { effect: { kind: 'status', status, text: JSON.stringify({ message: `bad key ${testPsk}` }) } },
      ],
    }) as const;

  it.each([
    ['a service that works', {}, desired],
    ['a service that echoes it in a 401', echo(401), desired],
    ['a service that echoes it in a 500', echo(500), desired],
    ['a file that holds it, and is wrong', {}, `version: 1\n${testPsk}: x\n`],
    ['a host that is to be called by it', {}, `version: 1\nhosts: [{ id: 1, name: "${testPsk}" }]\n`],
  ])('with %s', async (_case, options, text) => {
    for (const mode of ['plan', 'drift', 'validate', 'apply']) {
      const { github, place, env } = await given(options);
      await place.write('fleet.yaml', text);
      const ended = await place.step({
        event: 'pull_request',
        env: { ...env, RAMPART_LOG: 'debug' },
        inputs: {
          mode,
          'html-path': 'report.html',
          ...(mode === 'apply' ? { checksum: 'a'.repeat(64) } : {}),
        },
      });
      const shown = JSON.stringify([ended, github.comments, github.requests.map(({ body }) => body)]);
      expect(shown).not.toContain(testPsk.slice(0, 40));
      expect(shown).not.toContain(Buffer.from(`1234567890:${testPsk}`).toString('base64').slice(0, 60));
    }
  });

  it.each(['RAMPART_PSK_FILE', 'BERLIN_PSK_FILE'])(
    'if it comes from a file that a change links to and %s refers to',
    async (variable) => {
      const { github, place, env } = await given();
      const { RAMPART_PSK: _, ...rest } = env;
      await place.write('key', `${testPsk}\n`);
      const { symlink } = await import('node:fs/promises');
      await symlink('key', `${place.folder}/fleet.yaml`);
      const ended = await place.step({ event: 'pull_request.fork', env: { ...rest, [variable]: 'key' } });
      expect(ended.code).toBe(3);
      expect(JSON.stringify([ended, github.comments])).not.toContain(testPsk.slice(0, 40));
    },
  );
});
