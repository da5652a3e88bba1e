import { describe, expect, it } from 'vitest';
import { givenApi, type Person } from './given-api.ts';

const api = givenApi();

// oxlint-disable-next-line typescript/no-explicit-any
async function ask(method: string, params: object, as?: Person): Promise<{ status: number; body: any }> {
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, body: JSON.parse(data) };
}

async function call(name: string, input: object, as: Person) {
  const { body } = await ask('tools/call', { name, arguments: input }, as);
  return JSON.parse(body.result.content[0].text);
}

describe('POST /mcp', () => {
  it('responds only to a caller with a valid token', async () => {
    expect((await ask('tools/list', {})).status).toBe(401);
    expect((await ask('tools/list', {}, 'nobody' as Person)).status).toBe(401);
  });

  it('lists tools that read, rehearse, propose and wait, and none that decides', async () => {
    const { body } = await ask('tools/list', {}, 'admin');
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual([
      'show_roles',
      'show_overview',
      'list_accounts',
      'show_account',
      'find_hosts',
      'explain_host',
      'list_plans',
      'show_plan',
      'list_planned_hosts',
      'rehearse',
      'propose_change',
      'open_pull_request',
      'wait_for_decision',
    ]);
  });

  it('shows what the roles of the caller allow', async () => {
    const all = await call('list_accounts', {}, 'admin');
    expect(all.answer.items.length).toBeGreaterThan(1);
    const own = await call('list_accounts', {}, 'european');
    expect(own.answer.items.map(({ name }: { name: string }) => name)).toEqual(
      expect.not.arrayContaining(['denver']),
    );
  });

  it('waits for a decision, and reports that people have not decided', async () => {
    const plan = await api.propose('berlin');
    const waited = await call('wait_for_decision', { plan: plan.id, seconds: 0 }, 'admin');
    expect(waited).toMatchObject({ ok: true, answer: { state: 'waiting', approvals: [] } });
    expect((await call('show_plan', { plan: plan.id }, 'admin')).answer.state).toBe('waiting');
    const none = await call('show_plan', { plan: 'no-such-plan' }, 'admin');
    expect(none).toMatchObject({ ok: false, problems: [{ code: 'not-found' }] });
  });

  it.each([
    ['viewer', 'rehearse', { plan: 'PLAN' }, 'forbidden'],
    [
      'viewer',
      'propose_change',
      { change: { kind: 'delete' }, hosts: [{ account: 'denver', host_id: '1' }] },
      'forbidden',
    ],
    ['european', 'show_plan', { plan: 'PLAN' }, 'not-found'],
    ['european', 'list_planned_hosts', { plan: 'PLAN' }, 'not-found'],
    ['european', 'rehearse', { plan: 'PLAN' }, 'not-found'],
    ['european', 'wait_for_decision', { plan: 'PLAN', seconds: 0 }, 'not-found'],
    ['european', 'show_account', { account: 'denver' }, 'not-found'],
    ['european', 'explain_host', { account: 'denver', host: '1' }, 'not-found'],
  ] as const)('refuses %s to use %s beyond its roles', async (person, tool, input, code) => {
    const plan = await api.propose('denver');
    const given = JSON.parse(JSON.stringify(input).replace('PLAN', plan.id)) as object;
    expect(await call(tool, given, person)).toMatchObject({ ok: false, problems: [{ code }] });
  });

  it('decides nothing for someone who may decide, whatever ids a conversation makes up', async () => {
    const plan = await api.propose('berlin');
    const asked = [...api.asked];
    const paths = [
      '..',
      '../..',
      `${plan.id}/approve`,
      `${plan.id}%2Fapprove`,
      `../plans/${plan.id}/approve`,
    ];
    for (const id of [
      ...paths,
      `${plan.id}?approve=1`,
      'berlin/pause',
      '../accounts/berlin/pause',
      '\u0000',
    ]) {
      const calls: readonly (readonly [string, object])[] = [
        ['show_plan', { plan: id }],
        ['list_planned_hosts', { plan: id }],
        ['rehearse', { plan: id }],
        ['wait_for_decision', { plan: id, seconds: 0 }],
        ['show_account', { account: id }],
        ['explain_host', { account: id, host: id }],
      ];
      for (const [name, input] of calls) await ask('tools/call', { name, arguments: input }, 'both');
    }
    for (const name of ['approve', 'apply', 'pause_account', 'approvePlan', `plans/${plan.id}/approve`]) {
      const { body } = await ask('tools/call', { name, arguments: { plan: plan.id } }, 'both');
      expect(body.error, name).toBeDefined();
    }
    const { body } = await api.get(`/plans/${plan.id}`, 'admin');
    expect(body).toMatchObject({ state: 'waiting', approvals: [] });
    expect(api.asked).toEqual(asked);
    expect((await api.get('/accounts/berlin', 'admin')).body.pause).toBeNull();
  });
});
