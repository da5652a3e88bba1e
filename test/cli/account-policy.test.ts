import { describe, expect, it } from 'vitest';
import { assetServer } from '../given/asset-server.ts';
import {
  type GivenService,
  givenService,
  type Ran,
  type Workplace,
  workplace,
} from '../given/command-line.ts';

const fleet = {
  hosts: Array.from({ length: 10 }, (_, index) => ({ id: String(index + 1), name: `H-${index + 1}` })),
};

/** Four deletions, with limits that would allow all of them. */
const desired = `version: 1
hosts:
${[1, 2, 3, 4].map((id) => `  - { id: ${id}, ensure: absent }`).join('\n')}
policy: { limits: { delete: 100% } }
`;

interface Given {
  readonly service: GivenService;
  rampart(...argv: readonly string[]): Promise<Ran>;
  readonly place: Workplace;
}

/** An account "berlin" with this block in its configuration, and its desired state in berlin.yaml. */
async function given(
  block: string,
  state = desired,
  answer?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Given> {
  const place = await workplace();
  const service = await givenService(fleet);
  const { RAMPART_BASE_URL: url = '', RAMPART_PSK: psk = '' } = service.env;
  await place.write('berlin.yaml', state);
  await place.write(
    'rampart.config.yaml',
    `defaults: { baseUrl: '${url}', key: { variable: BERLIN_PSK } }
accounts:
  berlin:
    companyId: ${service.env['RAMPART_COMPANY_ID']}
    files: [berlin.yaml]
    labels: { region: eu }
${block}  wien: { companyId: 2, labels: { tier: gold } }
`,
  );
  const env = { RAMPART_ALLOWED_ORIGINS: url, BERLIN_PSK: psk, ...more };
  const run = (...argv: readonly string[]) =>
    place.rampart([...argv, '--account', 'berlin'], { env, ...(answer === undefined ? {} : { answer }) });
  return { service, rampart: run, place };
}

const deleted = ({ service }: Given) => 10 - service.emulator.state().hosts.length;
const writes = ({ service }: Given) =>
  service.emulator.requests.filter(({ method }) => method !== 'GET').length;

describe("the operator's limits", () => {
  it('hold although the desired state allows more, and the problem is at their place', async () => {
    const here = await given('    mode: correct\n    limits: { delete: 2 }\n');
    const planned = await here.rampart('plan');
    expect(planned.code).toBe(6);
    expect(planned.out + planned.err).toContain('4 deletions are planned, but the limit is 2');
    expect(planned.out + planned.err).toMatch(/rampart\.config\.yaml:\d+/);
    expect((await here.rampart('apply', '--auto-approve')).code).toBe(6);
    expect(deleted(here)).toBe(0);
    expect((await here.rampart('apply', '--auto-approve', '--ack', 'delete=4')).code).toBe(0);
    expect(deleted(here)).toBe(4);
  });

  it('hold for a plan that was saved under another configuration', async () => {
    const here = await given('    mode: correct\n');
    expect((await here.rampart('plan', '--out', 'plan.json')).code).toBe(0);
    const config = 'rampart.config.yaml';
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(`${here.place.folder}/${config}`, 'utf8');
    await here.place.write(config, text.replace('mode: correct', 'limits: { delete: 1 }'));
    expect(await here.rampart('apply', 'plan.json')).toExit(6, '4 deletions are planned, but the limit is 1');
    expect(deleted(here)).toBe(0);
  });
});

it("the operator's windows hold in addition to those of the desired state", async () => {
  const here = await given('    mode: correct\n    windows: [{ name: nights, only: ["20:00-06:00 UTC"] }]\n');
  const applied = await here.rampart('apply', '--auto-approve');
  expect(applied.code).toBe(6);
  expect(applied.out + applied.err).toContain('window "nights"');
  expect(deleted(here)).toBe(0);
});

describe('mode observe', () => {
  it.each([
    ['apply', ['apply', '--auto-approve']],
    ['undo', ['undo', '--auto-approve']],
    ['hosts antivirus refresh', ['hosts', 'antivirus', 'refresh', '--all']],
    ['hosts connect', ['hosts', 'connect', 'H-1']],
  ])('refuses %s without a call that writes', async (_, argv) => {
    const here = await given('    mode: observe\n');
    const { code, err } = await here.rampart(...argv);
    expect(code).toBe(6);
    expect(err).toContain('the account "berlin" is in mode observe');
    expect(err).toContain('set its mode to propose or correct in rampart.config.yaml');
    expect(writes(here)).toBe(0);
  });

  it('refuses an approved plan too, and allows plan and drift', async () => {
    const here = await given('    mode: observe\n');
    expect((await here.rampart('plan', '--out', 'plan.json')).code).toBe(0);
    expect((await here.rampart('apply', 'plan.json')).code).toBe(6);
    expect((await here.rampart('drift')).code).toBeLessThan(3);
    expect(writes(here)).toBe(0);
  });
});

describe('a required change ticket', () => {
  const block = `    ticket:
      source: snow
      path: api/now/table/change_request?sysparm_query=number={ticket}
      number: result.0.number
      state: { at: result.0.state, is: [Implement] }
      until: result.0.end_date
`;

  it('is named and confirmed right before the first write, or nothing is written', async () => {
    let end = '2026-11-21 12:00:00';
    const snow = await assetServer((url) => {
      const number = /CHG\d+/.exec(url.search)?.[0];
      return {
        body: { result: number === 'CHG9999' ? [] : [{ number, state: 'Implement', end_date: end }] },
      };
    });
    const here = await given(block, desired, undefined, { RAMPART_SOURCE_SNOW_URL: snow.url });
    expect((await here.rampart('plan', '--out', 'plan.json')).code).toBe(0);
    const without = await here.rampart('apply', 'plan.json');
    expect(without).toMatchObject({ code: 6, err: expect.stringContaining('a change ticket is required') });
    expect(without.err).toMatch(/rampart\.config\.yaml:8/);
    expect(snow.asked).toEqual([]);

    const unknown = await here.rampart('apply', 'plan.json', '--ticket', 'CHG9999');
    expect(unknown).toExit(6);
    expect(unknown.out + unknown.err).toContain('the ticket "CHG9999" was not found');
    end = '2026-11-21 08:00:00';
    const late = await here.rampart('apply', 'plan.json', '--ticket', 'CHG0001');
    expect(late.code).toBe(6);
    expect(late.out + late.err).toContain('the ticket "CHG0001" ended at 2026-11-21T08:00:00.000Z');
    expect(writes(here)).toBe(0);

    end = '2026-11-21 12:00:00';
    expect((await here.rampart('apply', 'plan.json', '--ticket', 'CHG0001')).code).toBe(0);
    expect(deleted(here)).toBe(4);
    const runs = JSON.parse((await here.rampart('runs', '--json')).out) as { readonly runs: unknown };
    expect(JSON.stringify(runs)).toContain('"ticket":"CHG0001"');
    expect((await here.rampart('state', 'audit', 'list', '--json')).out).toContain('"ticket": "CHG0001"');
  });

  it('of a plan is the only one that the plan is applied for', async () => {
    const snow = await assetServer(({ search }) => ({
      body: {
        result: [{ number: /CHG\d+/.exec(search)?.[0], state: 'Implement', end_date: '2026-11-21 12:00:00' }],
      },
    }));
    const here = await given(block, desired, undefined, { RAMPART_SOURCE_SNOW_URL: snow.url });
    const planned = await here.rampart('plan', '--ticket', 'CHG0001', '--out', 'plan.json');
    expect(planned.out).toContain('; change ticket CHG0001');
    expect((await here.rampart('plan', '--ticket', 'CHG 1')).code).toBe(3);
    const other = await here.rampart('apply', 'plan.json', '--ticket', 'CHG0002');
    expect(other.err).toContain('the plan is for the change ticket "CHG0001", not for "CHG0002"');
    expect([other.code, writes(here), snow.asked.length]).toEqual([6, 0, 0]);
    expect((await here.rampart('apply', 'plan.json')).code).toBe(0);
    expect((await here.rampart('runs', '--json')).out).toContain('"ticket": "CHG0001"');
  });

  it('can come from the variable of a pipeline', async () => {
    const snow = await assetServer(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    const env = { RAMPART_SOURCE_SNOW_URL: snow.url, RAMPART_RUN_TICKET: 'CHG0002' };
    const here = await given(block, desired, 'yes', env);
    const applied = await here.rampart('apply');
    expect(applied.code).toBe(6);
    expect(applied.out + applied.err).toContain('the ticket "CHG0002" could not be checked');
    expect(writes(here)).toBe(0);
  });

  it.each([
    ['a mode in which nobody names it', `${block}    mode: correct\n`, /its mode can't be correct/],
    ['no state', '    ticket: { source: snow, path: "a/{ticket}" }\n', /"ticket" needs "state"/],
    [
      'a path without the number',
      '    ticket: { source: snow, path: a, state: { at: s, is: a } }\n',
      /"path" must be a path with \{ticket\}/,
    ],
  ])('is not accepted with %s', async (_, text, expected) =>
    expect(await (await given(text)).rampart('plan')).toExit(3, expected),
  );
});

describe('mode propose', () => {
  it('refuses --auto-approve for a plan that nobody has seen', async () => {
    const here = await given('    mode: propose\n');
    expect(await here.rampart('apply', '--auto-approve')).toExit(
      6,
      'the account "berlin" is in mode propose, so --auto-approve does not approve a new plan',
    );
    expect(deleted(here)).toBe(0);
  });

  it('applies a saved plan, and a plan that somebody approves at the terminal', async () => {
    const saved = await given('    mode: propose\n');
    expect((await saved.rampart('plan', '--out', 'plan.json')).code).toBe(0);
    expect((await saved.rampart('apply', 'plan.json')).code).toBe(0);
    expect(deleted(saved)).toBe(4);
    const asked = await given('    mode: propose\n', desired, 'yes');
    expect((await asked.rampart('apply')).code).toBe(0);
    expect(deleted(asked)).toBe(4);
  });

  it('needs no approval if there is nothing to do', async () => {
    const here = await given('    mode: propose\n', 'version: 1\nhosts: [{ id: 1, name: H-1 }]\n');
    expect((await here.rampart('apply', '--auto-approve')).code).toBe(0);
  });
});

it.each([
  ['limits', 'limits: { delete: 100% }\n'],
  ['mode', 'mode: correct\n'],
  ['accounts', 'accounts: { berlin: { mode: correct } }\n'],
])('a desired state has no key that changes the policy of the operator: %s', async (_, line) => {
  const here = await given('    mode: observe\n    limits: { delete: 0 }\n', `${desired}${line}`);
  expect((await here.rampart('plan')).code).toBe(3);
  expect((await here.rampart('apply', '--auto-approve')).code).not.toBe(0);
  expect(deleted(here)).toBe(0);
});

describe('rules that read the account', () => {
  const rule = (when: string) =>
    `version: 1\nrules:\n  - name: regional\n    when: ${when}\n    rename: "\${account.name}-\${host.id}"\n`;

  it('use the files and labels of the chosen account', async () => {
    const here = await given('    mode: correct\n', rule('host.id == 1 && account.labels.region == "eu"'));
    const applied = await here.rampart('apply', '--auto-approve');
    expect([applied.code, here.service.emulator.state().hosts[0]?.name]).toEqual([0, 'berlin-1']);
  });

  it('report a label that no account has, and accept one that only another account has', async () => {
    const wrong = await given('', rule('account.labels.regoin == "eu"'));
    const validated = await wrong.rampart('validate');
    expect(validated.code).toBe(3);
    expect(validated.err).toContain('reads account.labels.regoin, a label that no account has');
    expect(validated.err).toMatch(/berlin\.yaml:4:\d+/);
    expect(validated.err).toContain('did you mean "region"?');
    const lacking = await given('    mode: correct\n', rule('account.labels.tier != "gold"'));
    const planned = await lacking.rampart('plan');
    expect(planned.code).toBe(0);
    expect(planned.out + planned.err).toContain('does not rename 10 hosts');
  });

  it('are an error without a chosen account', async () => {
    const here = await given('', rule('account.name == "berlin"'));
    const { code, err } = await here.place.rampart(['validate', '-f', 'berlin.yaml']);
    expect(code).toBe(3);
    expect(err).toContain('no configured account is chosen');
    expect(err).toContain('choose it with --account NAME');
  });
});
