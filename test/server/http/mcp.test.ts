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
  it('answers only a caller with a valid token', async () => {
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
});
