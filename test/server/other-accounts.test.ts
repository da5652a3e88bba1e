import { beforeAll, describe, expect, test } from 'vitest';
import type { Grant } from '../../src/api/access/grants.ts';
import { planChecksum, printPlan } from '../../src/core/plan/document/plan-document.ts';
import { ok } from '../../src/core/problem/problem.ts';
import type { ApiRoute } from '../../src/server/http/route.ts';
import type { ServerWork } from '../../src/server/http/server-work.ts';
import { createActs } from '../../src/server/sign-in/rules/acts.ts';
import { createHttp, type Http } from '../../src/server/start/create-http.ts';
import { routes } from '../../src/server/start/routes.ts';
import { givenPlan } from '../given/plan.ts';
import { givenRollout } from '../given/rollouts.ts';
import {
  ada,
  givenAccount,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../given/store-records.ts';
import { httpParts, identifyBy, settingsOf } from './http/given.ts';
import { accountOf } from './jobs/given.ts';
import { givenDatabase } from './sign-in/given.ts';

/** Everything of the other account has its name in it. */
const theirs = 'fabrikam';
const labels = new Set(['region', 'tier']);

const account = (name: string, region: string, tier: string) =>
  accountOf(name, {
    companyId: '42',
    baseUrl: `https://${name}.example.com`,
    labels: { region, tier },
    configuredLabels: labels,
  });

const own = 'region == "eu"';
const people: Record<string, { readonly grants: readonly Grant[] }> = {
  all: { grants: [{ role: 'admin' }] },
  own: { grants: [{ role: 'admin', where: own }] },
};

const database = givenDatabase();
let http: Http;
let ids: Readonly<Record<string, Readonly<Record<string, string>>>>;
const worked: string[] = [];

beforeAll(async () => {
  const { store, state } = database;
  const configured = [account('contoso', 'eu', 'gold'), account(theirs, 'us', 'silver-fabrikam')];
  await store.accounts.sync(
    configured.map(({ name, labels: own, baseUrl }) =>
      givenAccount(name, { labels: own, service: baseUrl ?? '' }),
    ),
  );
  const made: Record<string, Record<string, string>> = { plan: {}, run: {}, pause: {}, host: {} };
  for (const { name } of configured) {
    const cause = {
      id: `cause-${name}`,
      kind: 'fleet' as const,
      title: `${name} was changed`,
      rule: `${name}-rule`,
    };
    const host = `${name === 'contoso' ? 1 : 2}`;
    await store.accounts.recordCheck(
      givenCheck(
        name,
        givenHosts(3, `${name}-host`).map((each) => ({ ...each, group: `${name}-group` })),
        {
          drift: [givenDrift(host, { name: `${name}-host-1`, desired: `${name}-wanted`, cause: cause.id })],
          causes: [cause],
          health: 'failing',
          failure: { code: 'network', message: `${name} is down`, hint: `look at ${name}` },
          detail: { windows: [{ name: `${name}-window`, is_open: true }] },
        },
      ),
    );
    const plan = givenPlan({
      entries: [{ id: '1', name: `${name}-new` }],
      hosts: [{ id: '1', name: `${name}-old` }],
      options: { account: { companyId: '42', service: `https://${name}.example.com` } },
    });
    const proposed = await store.plans.propose(
      givenNewPlan(name, {
        document: printPlan(plan),
        checksum: planChecksum(plan),
        shape: { effects: [{ kind: 'rename', of: null, hosts: 1, first: [`${name}-old`] }] },
        author: `${name}-author`,
        source: `${name}-files`,
        required: { approvals: 1, notAuthor: false, numbers: [] },
      }),
    );
    const planId = proposed?.plan.id ?? '';
    await store.plans.setPullRequest(`${name}-files`, 'c0ffee', `https://git.example.com/${name}/pulls/1`);
    await store.plans.comment(planId, ada, `a comment on ${name}`);
    const run = await store.runs.queue({
      account: name,
      plan: planId,
      by: ada,
      reason: `for ${name}`,
      steps: 1,
    });
    await store.runs.log(run?.id ?? '', [{ type: 'step', text: `renamed in ${name}` }]);
    const pause = await store.pauses.add({
      scope: `account:${name}`,
      by: ada,
      reason: `of ${name}`,
      until: null,
    });
    await store.ignores.add({
      account: name,
      cause: cause.id,
      reason: `${name} knows`,
      by: ada,
      until: new Date(Date.now() + 86_400_000),
    });
    const ignores = await store.ignores.list({ visible: 'all', account: name });
    made['ignore'] = { ...made['ignore'], [name]: ignores.ok ? (ignores.value.items[0]?.id ?? '') : '' };
    made['plan'] = { ...made['plan'], [name]: planId };
    made['run'] = { ...made['run'], [name]: run?.id ?? '' };
    made['pause'] = { ...made['pause'], [name]: pause.id };
    made['host'] = { ...made['host'], [name]: host };
    await state.audit.append({ now: () => 0, sleep: async () => {} }, [
      {
        kind: 'run-started',
        origin: { actor: `${name}-actor`, host: 'ws' },
        what: {
          account: { company_id: '42', service: `https://${name}.example.com` },
          run_id: `run-${name}`,
        },
      },
      { kind: 'plan-approved', origin: { actor: `${name}-actor`, host: 'ws' }, what: { account: name } },
    ]);
  }
  await store.notifications.enqueue([
    { channel: 'fabrikam-chat', kind: 'failing', account: null, topic: 'x', facts: {}, delayMs: 0 },
  ]);
  await store.events.append(
    { type: 'source.changed', account: null, resource: 'fabrikam-files', data: {} },
    { type: 'notification.changed', account: null, resource: 'fabrikam-chat', data: {} },
  );
  const shared = givenRollout(
    { canary: [theirs], rest: ['contoso'] },
    { rollout_id: '20261121T090000000Z-000001' },
  );
  const foreign = givenRollout({ canary: [theirs] }, { rollout_id: '20261121T090000000Z-000002' });
  for (const head of [shared, foreign]) await state.rollouts.create(head);
  const why = `the canary account ${theirs} failed`;
  await state.rollouts.append(shared.rollout_id, 0, [
    { type: 'stopped', at: shared.at, reason: 'failed-canary', account: theirs, why },
  ]);
  ids = {
    ...made,
    rollout: { contoso: shared.rollout_id, fabrikam: foreign.rollout_id },
  };
  const noted =
    (what: string) =>
    async (...given: readonly unknown[]) => {
      worked.push(`${what} ${JSON.stringify(given)}`);
      return ok(null);
    };
  const queue = {
    send: async (name: string, keys: readonly string[]) => {
      worked.push(`${name} ${keys.join(',')}`);
      return keys.length;
    },
  };
  const work = {
    undo: noted('undo'),
    testNotification: noted('test'),
    explain: async () => ok({ attributes: [] }),
    planFiles: async ({ account }: { readonly account: string }) => ({
      source: `${account}-files`,
      commit: null,
      before: null,
      patch: null,
      why: `the files of ${account} are in a folder`,
    }),
  } as unknown as ServerWork;
  const settings = settingsOf({ accounts: configured, labels });
  const clock = { now: () => Date.now(), sleep: async () => {} };
  const acts = createActs({ audit: state.audit, clock });
  const many = { burst: 1_000_000, perSecond: 1_000_000 };
  http = createHttp(
    httpParts({
      settings,
      clock,
      store,
      state,
      queue,
      work,
      acts,
      identify: identifyBy(people),
      limits: { caller: many, stranger: many },
      onFault: (fault) => {
        throw fault;
      },
    }),
  );
}, 60_000);

async function ask(who: string, method: string, path: string, body?: unknown) {
  const answer = await http.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method,
      headers: {
        host: '127.0.0.1',
        authorization: `Bearer ${who}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    { address: '127.0.0.1' },
  );
  return { status: answer.status, text: await answer.text() };
}

/** The address of a route for one of the two accounts. */
function addressOf({ path }: ApiRoute, name: 'contoso' | 'fabrikam'): string {
  const kind = /\/(plans|runs|pauses|rollouts|ignores)\/\{id\}/.exec(path)?.[1]?.slice(0, -1);
  return path
    .replace('/accounts/{name}', `/accounts/${name}`)
    .replace('{name}', `${name}-chat`)
    .replace('{id}', ids[kind ?? 'host']?.[name] ?? '');
}

/** Bodies with which a write would succeed. */
const bodies: Readonly<Record<string, (name: string) => unknown>> = {
  checkAccounts: (name) => ({ names: [name] }),
  planAccounts: (name) => ({ names: [name] }),
  approvePlan: () => ({ checksum: 'x'.repeat(64) }),
  rejectPlan: () => ({ checksum: 'x'.repeat(64), reason: 'no' }),
  commentPlan: () => ({ text: 'hello' }),
  stopRun: () => ({ reason: 'stop' }),
  overrideRun: () => ({ reason: 'urgent' }),
  undoRun: () => ({ reason: 'undo' }),
  startRollout: (name) => ({
    plans: [{ id: ids['plan']?.[name as 'contoso'] ?? '', checksum: 'x'.repeat(64) }],
    reason: 'start',
  }),
  stopRollout: () => ({ reason: 'stop' }),
  continueRollout: () => ({ reason: 'go on' }),
  abortRollout: () => ({ reason: 'abort' }),
  createIgnore: (name) => ({
    cause: `${name}-cause`,
    reason: 'known',
    until: new Date(Date.now() + 3_600_000).toISOString(),
  }),
  proposeChange: (name) => ({ drift: { account: name }, change: { kind: 'adopt' } }),
  openProposal: (name) => ({
    drift: { account: name },
    change: { kind: 'adopt' },
    digest: 'x'.repeat(64),
    reason: 'x',
  }),
  createPause: (name) => ({ account: name, reason: 'pause' }),
  createToken: () => ({ name: 'x', grants: [{ role: 'viewer' }], expires_in_days: 1 }),
};

const streams = new Set(['streamEvents']);
const reads = routes.filter(({ method, id }) => method === 'get' && !streams.has(id));
/** A list of accounts may be too long for an address. */
const postedReads = new Set(['comparePlans']);
const writes = routes.filter(({ method, id }) => method !== 'get' && !postedReads.has(id));

/** Every table that a write could change, except for the server's records about refusals. */
async function dump(): Promise<string> {
  const tables = await database.run(`select table_name as name from information_schema.tables
    where table_schema = 'rampart_server' and table_name not in ('idempotency')`);
  const texts: string[] = [];
  for (const { name } of tables) {
    texts.push(
      JSON.stringify(await database.run(`select * from rampart_server.${String(name)} order by 1::text`)),
    );
  }
  return texts.join('\n');
}

describe('a person with roles on one account', () => {
  test('the other account has hidden data in every response about it', async () => {
    for (const route of reads.filter(({ path }) => path.includes('{'))) {
      const { status, text } = await ask('all', 'GET', addressOf(route, theirs));
      expect([route.id, status]).toEqual([route.id, 200]);
      expect([route.id, text.includes(theirs)]).toEqual([route.id, true]);
    }
  });

  test.each(reads.map((route) => [route.id, route] as const))(
    'reads nothing of another one by %s',
    async (_, route) => {
      const mine = await ask('own', 'GET', addressOf(route, 'contoso'));
      expect([200, 403]).toContain(mine.status);
      expect(mine.text).not.toContain(theirs);
      const other = await ask('own', 'GET', addressOf(route, theirs));
      if (route.path.includes('{')) expect(other.status).toBe(404);
      expect(other.text).not.toContain(theirs);
    },
  );

  test.each([
    `/api/v1/hosts?q=${theirs}`,
    `/api/v1/hosts?account=${theirs}`,
    `/api/v1/hosts?group=${theirs}-group`,
    `/api/v1/hosts?where=${encodeURIComponent('region == "us"')}`,
    `/api/v1/hosts/facets?q=${theirs}`,
    `/api/v1/hosts/facets?account=${theirs}`,
    `/api/v1/accounts?q=${theirs}`,
    `/api/v1/accounts?cause=cause-${theirs}`,
    `/api/v1/accounts?where=${encodeURIComponent('region == "us"')}`,
    `/api/v1/causes?account=${theirs}`,
    `/api/v1/plans?account=${theirs}`,
    `/api/v1/plans?source=${theirs}-files`,
    `/api/v1/runs?account=${theirs}`,
    `/api/v1/audit?account=${theirs}`,
    `/api/v1/audit?q=${theirs}`,
    `/api/v1/audit?by=${theirs}-actor`,
    `/api/v1/history?account=${theirs}&days=7`,
    `/api/v1/accounts/contoso/drift?host_id=2`,
    `/api/v1/accounts/contoso/hosts/..%2F..%2F${theirs}`,
  ])('finds nothing of another one by %s', async (path) => {
    const all = await ask('all', 'GET', path);
    const found = await ask('own', 'GET', path);
    expect([200, 404]).toContain(found.status);
    expect(found.text).not.toContain(theirs);
    if (found.status !== 200 || path.includes('history')) return;
    const { items, total, accounts } = JSON.parse(found.text) as {
      items?: unknown[];
      total?: number;
      accounts?: unknown[];
    };
    expect([items?.length ?? accounts?.length, total ?? 0]).toEqual([0, 0]);
    expect(all.status).toBe(200);
  });

  test('compares no plan of another one', async () => {
    const path = '/api/v1/plans/compare';
    for (const body of [{}, { accounts: [theirs] }, { cause: `cause-${theirs}` }]) {
      const all = await ask('all', 'POST', path, body);
      expect(all.text).toContain(theirs);
      const own = await ask('own', 'POST', path, body);
      expect(own.status).toBe(200);
      expect(own.text).not.toContain(theirs);
    }
  });

  test("learns nothing about another one from someone else's cursor", async () => {
    for (const path of ['/api/v1/hosts?limit=1', '/api/v1/accounts?limit=1', '/api/v1/audit?limit=1']) {
      const { next } = JSON.parse((await ask('all', 'GET', path)).text) as { next: string };
      const { text } = await ask('own', 'GET', `${path}&cursor=${encodeURIComponent(next)}`);
      expect(text).not.toContain(theirs);
    }
  });

  test.each([
    'name == "fabrikam" && 1 / 0 == 1',
    'int(tier) == 1 && region == "us"',
    'region == "us" && [1][int(tier.size())] == 1',
  ])('learns nothing about another one from the faults of an expression: %s', async (where) => {
    const query = encodeURIComponent(`${where} || region == "eu"`);
    for (const path of ['/api/v1/accounts', '/api/v1/hosts', '/api/v1/hosts/facets']) {
      const absent = encodeURIComponent(
        `${where.replaceAll('fabrikam', 'nobody').replaceAll('us', 'xx')} || region == "eu"`,
      );
      const one = await ask('own', 'GET', `${path}?where=${query}`);
      const other = await ask('own', 'GET', `${path}?where=${absent}`);
      expect(one).toEqual(other);
    }
  });

  test.each(writes.map((route) => [route.id, route] as const))(
    'changes nothing of another one by %s',
    async (id, route) => {
      const before = await dump();
      const done = worked.length;
      const { status, text } = await ask(
        'own',
        route.method.toUpperCase(),
        addressOf(route, theirs),
        bodies[id]?.(theirs) ?? {},
      );
      expect([403, 404]).toContain(status);
      expect(text.replaceAll(`"${theirs}\\"`, '').includes(`${theirs} `)).toBe(false);
      expect(await dump()).toBe(before);
      expect(worked.slice(done)).toEqual([]);
    },
  );

  test('stops no rollout that has other accounts too', async () => {
    const { status } = await ask('own', 'POST', `/api/v1/rollouts/${ids['rollout']?.['contoso']}/abort`, {
      reason: 'x',
    });
    expect(status).toBe(404);
    expect(worked.filter((each) => each.startsWith('rollout'))).toEqual([]);
  });

  test('checks only their own accounts with a request for all', async () => {
    const done = worked.length;
    await ask('own', 'POST', '/api/v1/accounts/check', { all: true });
    await ask('own', 'POST', '/api/v1/accounts/check', { where: 'true' });
    expect(worked.slice(done)).toEqual(['check contoso', 'check contoso']);
  });

  test('pauses only their own accounts by an expression, whatever else it selects', async () => {
    const made = await ask('own', 'POST', '/api/v1/pauses', { where: 'name != "nobody"', reason: 'mine' });
    expect(made.status).toBe(201);
    const { scope, id } = JSON.parse(made.text) as { scope: string; id: string };
    expect(scope).toBe('where:(name != "nobody") && ((region == "eu"))');
    for (const where of ['name == "fabrikam"', 'name == "nobody"', 'name == "fabrikam" && 1 / 0 == 1']) {
      expect((await ask('own', 'POST', '/api/v1/pauses', { where, reason: 'x' })).status).toBe(404);
    }
    expect((await ask('own', 'POST', '/api/v1/pauses', { all: true, reason: 'x' })).status).toBe(403);
    expect((await ask('own', 'DELETE', `/api/v1/pauses/${id}`)).status).toBe(200);
  });

  test('receives nothing about another one, or about sources and notifications', async () => {
    const [first] = await database.store.events.after('0-0', 'all');
    const read = async (who: string) => {
      const answer = await http.fetch(
        new Request(`http://127.0.0.1/api/v1/events?last_event_id=${first?.id}`, {
          headers: { host: '127.0.0.1', authorization: `Bearer ${who}` },
        }),
        { address: '127.0.0.1' },
      );
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      let text = '';
      while (!text.includes('event: ready')) {
        const { value, done } = await reader.read();
        if (done) break;
        text += Buffer.from(value).toString();
      }
      await reader.cancel();
      return text;
    };
    const everything = await read('all');
    expect(everything).toContain('fabrikam-files');
    expect(everything).toContain('"account":"fabrikam"');
    const mine = await read('own');
    expect(mine).toContain('"account":"contoso"');
    expect(mine).not.toContain(theirs);
  });

  test('leaves an audit record of each refused write', async () => {
    const { text } = await ask('all', 'GET', '/api/v1/audit?kind=write-denied&limit=500');
    const { items } = JSON.parse(text) as {
      items: { by: string; account: string | null; what: { operation: string } }[];
    };
    expect(items.map(({ what }) => what.operation)).toContain('createToken');
    expect(items.find(({ what }) => what.operation === 'createToken')).toMatchObject({ account: null });
    // People who are responsible for an account see who tried to change it.
    expect(new Set(items.map(({ account: of }) => of))).toEqual(new Set([null, 'fabrikam']));
    expect(new Set(items.map(({ by }) => by))).toEqual(new Set(['own']));
  });
});

describe('a slow expression', () => {
  test('is refused before it delays the server', async () => {
    const accounts = Array.from({ length: 5_000 }, (_, at) => account(`a${at}`, 'eu', 'gold'));
    const { store } = database;
    const many = createHttp(
      httpParts({ settings: settingsOf({ accounts, labels }), store, identify: identifyBy(people) }),
    );
    const list = `[${Array.from({ length: 40 }, (_, at) => at).join(',')}]`;
    const where = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
    const answer = await many.fetch(
      new Request(`http://127.0.0.1/api/v1/accounts?where=${encodeURIComponent(where)}`, {
        headers: { host: '127.0.0.1', authorization: 'Bearer all' },
      }),
    );
    expect(await answer.json()).toMatchObject({
      code: 'invalid-expression',
      detail: expect.stringContaining('too long'),
    });
  }, 60_000);
});
