import { afterAll, beforeAll } from 'vitest';
import { requirementsOf } from '../../../src/accounts/approvals/requirements.ts';
import { planChecksum, printPlan } from '../../../src/core/plan/document/plan-document.ts';
import { planShape } from '../../../src/core/plan/plan-shape.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import type { State } from '../../../src/run/state/interface/state.ts';
import { postgresStateOn } from '../../../src/run/state/postgres/postgres-state.ts';
import type { HostClaims } from '../../../src/server/hosts/rules/explain-stored-host.ts';
import type { HttpParts } from '../../../src/server/http/route.ts';
import type { ServerWork } from '../../../src/server/http/server-work.ts';
import type { PlanRecord } from '../../../src/server/plans/records/plans.ts';
import type { ServerSettings } from '../../../src/server/settings/server-settings.ts';
import { createActs } from '../../../src/server/sign-in/rules/acts.ts';
import { createHttp, type Http } from '../../../src/server/start/create-http.ts';
import { openStore, type Store } from '../../../src/server/store/open-store.ts';
import { repeatingStore } from '../../given/repeating-store.ts';
import { richPlan } from '../../given/report-plans.ts';
import { takePglite } from '../../given/taken-pglite.ts';
import { accountOf } from '../jobs/given.ts';
import { httpParts, identifyBy, settingsOf } from './given.ts';

/** Two accounts in Europe and one in America. */
const regions = { berlin: 'eu', lisbon: 'eu', denver: 'us' } as const;
type Name = keyof typeof regions;

/** People by their tokens. */
export const people = {
  admin: { grants: [{ role: 'admin' }] },
  viewer: { grants: [{ role: 'viewer' }] },
  european: {
    grants: [
      { role: 'viewer', where: 'region == "eu"' },
      { role: 'operator', where: 'region == "eu"' },
      { role: 'planner', where: 'region == "eu"' },
    ],
  },
  planner: { grants: [{ role: 'planner' }] },
  europeanBoth: {
    grants: [
      { role: 'operator', where: 'region == "eu"' },
      { role: 'approver', where: 'region == "eu"' },
    ],
  },
  both: {
    grants: [{ role: 'operator' }, { role: 'approver' }],
    subject: { kind: 'person', id: 'both', name: 'Both' },
  },
  ada: { grants: [{ role: 'approver' }], subject: { kind: 'person', id: 'ada', name: 'Ada' } },
  grace: { grants: [{ role: 'approver' }], subject: { kind: 'person', id: 'grace', name: 'Grace' } },
} as const;
export type Person = keyof typeof people;

export interface GivenApi {
  readonly store: Store;
  readonly state: State;
  readonly url: string;
  readonly http: Http;
  readonly settings: ServerSettings;
  /** The jobs that requests queued for now: the queue and its keys. */
  readonly asked: string[];
  /** The queues that take no jobs. */
  readonly failing: Set<string>;
  /** The exceptions that no route expected. */
  readonly faults: unknown[];
  get(path: string, as?: Person, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  post(path: string, body: unknown, as?: Person, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  delete(path: string, as?: Person): Promise<Answer>;
  /** Stores a plan that waits for approval. */
  propose(
    account: Name,
    given?: {
      plan?: Plan;
      approvals?: number;
      format?: string;
      commit?: string;
      /** Who wrote the commit, and may not approve. */
      author?: string;
      /** `approved`: by the limits of the account. */
      state?: 'waiting' | 'approved';
    },
  ): Promise<PlanRecord>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

const accounts = () =>
  Object.entries(regions).map(([name, region], index) =>
    accountOf(name, { companyId: `410000000${index}`, labels: { region } }),
  );

/** The API over a socket, on a database in this process, with three checked accounts. */
export function givenApi(changed: Partial<HttpParts> = {}): GivenApi {
  let made: Omit<GivenApi, 'get' | 'post' | 'delete' | 'propose'> | undefined;
  let close = async () => {};
  const ready = () => {
    if (made === undefined) throw new Error('only inside a test');
    return made;
  };

  beforeAll(async () => {
    const { database, giveBack } = await takePglite();
    const store = repeatingStore(openStore(database));
    const state = postgresStateOn(database);
    const settings = settingsOf({ accounts: accounts(), labels: new Set(['region']) });
    await fill(store);
    const asked: string[] = [];
    const failing = new Set<string>();
    const faults: unknown[] = [];
    const clock = { now: () => Date.now(), sleep: async () => {} };
    const http = createHttp(
      httpParts({
        settings,
        store,
        state,
        clock,
        queue: noting(asked, failing),
        work,
        acts: createActs({ audit: state.audit, clock }),
        identify: identifyBy(people),
        limits: { caller: { burst: 10_000, perSecond: 1_000 }, stranger: { burst: 1_000, perSecond: 100 } },
        onFault: (fault) => faults.push(fault),
        ...changed,
      }),
    );
    const listening = await http.listen({ host: '127.0.0.1', port: 0 });
    if (!listening.ok) throw new Error(JSON.stringify(listening.problems));
    made = { store, state, url: listening.value.url, http, settings, asked, failing, faults };
    close = async () => {
      await http.close();
      await giveBack();
    };
  }, 60_000);
  afterAll(() => close());

  async function send(path: string, init: RequestInit, as: Person | undefined): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (as !== undefined) headers.set('authorization', `Bearer ${as}`);
    const response = await fetch(`${ready().url}/api/v1${path}`, { ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  return {
    get store() {
      return ready().store;
    },
    get state() {
      return ready().state;
    },
    get url() {
      return ready().url;
    },
    get http() {
      return ready().http;
    },
    get settings() {
      return ready().settings;
    },
    get asked() {
      return ready().asked;
    },
    get failing() {
      return ready().failing;
    },
    get faults() {
      return ready().faults;
    },
    get: (path, as = 'admin', headers = {}) => send(path, { headers }, as),
    post: (path, body, as = 'admin', headers = {}) =>
      send(
        path,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        },
        as,
      ),
    delete: (path, as = 'admin') => send(path, { method: 'DELETE' }, as),
    async propose(
      account,
      { plan = richPlan(), approvals = 1, format = '5.0', commit, author, state = 'waiting' } = {},
    ) {
      const policy = { approvals, notAuthor: author !== undefined, expiresAfterMs: 86_400_000 };
      const { rename, move, antivirus: install, delete: deletions, refresh } = plan.summary;
      const proposed = await ready().store.plans.propose({
        account,
        checksum: format === '5.0' ? planChecksum(plan) : `of format ${format}`,
        document: printPlan(plan).replace('"format_version": "5.0"', `"format_version": "${format}"`),
        shape: planShape(plan),
        source: 'files',
        commit: commit ?? null,
        author: author ?? null,
        expiresAt: new Date(Date.now() + 86_400_000),
        counts: { rename, move, delete: deletions, install, refresh },
        changes: rename + move + install + deletions,
        irreversible: install + deletions,
        calls: plan.calls.planned,
        required: requirementsOf(plan, policy),
        state,
      });
      return proposed.plan;
    },
  };
}

async function fill(store: Store): Promise<void> {
  await store.accounts.sync(
    Object.entries(regions).map(([name, region], index) => ({
      name,
      companyId: `410000000${index}`,
      service: 'https://remote.example.com',
      labels: { region },
      mode: 'propose' as const,
    })),
  );
  for (const [index, account] of (['berlin', 'denver'] as const).entries()) {
    const hosts = Array.from({ length: 5 }, (_, n) => ({
      hostId: String(100 + n),
      name: `${account.slice(0, 3).toUpperCase()}-WEB-${n}`,
      group: 'Web',
      state: n === 0 ? 'online' : 'offline',
      facts: { os: 'Windows 11' },
    }));
    await store.accounts.recordCheck({
      account,
      health: 'drifted',
      fleet: {
        digest: `digest-${index}`,
        hosts: () => hosts,
        count: hosts.length,
        drift: [
          {
            hostId: '101',
            name: hosts[1]?.name ?? '',
            attribute: 'name',
            desired: 'KIOSK-1',
            last: null,
            live: hosts[1]?.name ?? '',
            changed: 'fleet',
            cause: 'cause-1',
            ignored: false,
          },
        ],
      },
      causes: [
        { id: 'cause-1', kind: 'file', title: 'rule "kiosks"', place: { file: 'fleet.yaml', line: 12 } },
      ],
      commit: null,
      changes: 1,
      irreversible: 0,
      failure: null,
      nextCheckAt: null,
    });
  }
}

const unreadable = problem('configuration', 'the source is away', { hint: 'see the account' });

/** As a desired state with an entry, two rules and an `ignore` has it. */
const givenClaims: HostClaims = {
  attributes: [
    {
      attribute: 'name',
      observed: 'KIOSK-1',
      intended: 'KIOSK-1',
      decidedBy: ruleAt(10),
      overruled: [],
      ignored: false,
    },
    {
      attribute: 'group',
      observed: 'Web',
      intended: 'Web',
      decidedBy: { kind: 'entry', place: { file: 'fleet.yaml', line: 40, col: 5 } },
      overruled: [ruleAt(20)],
      ignored: false,
    },
    { attribute: 'antivirus', observed: 'not read', overruled: [], ignored: false },
    { attribute: 'ensure', observed: 'present', overruled: [], ignored: false },
  ],
};

function ruleAt(line: number) {
  return { kind: 'rule', rule: `rule of line ${line}`, place: { file: 'rules.yaml', line, col: 3 } } as const;
}

function noting(asked: string[], failing: ReadonlySet<string>): HttpParts['queue'] {
  return {
    async send(name, keys, { delayMs = 0 } = {}) {
      if (delayMs === 0) asked.push(`${name} ${keys.join(',')}`);
      if (failing.has(name)) throw new Error('the queue is broken');
      return keys.length;
    },
  };
}

const work: ServerWork = {
  undo: async () => ok('plan-of-undo'),
  planFiles: async ({ source, commit }, before) => ({
    source,
    commit,
    before: before?.commit ? { plan: before.id, commit: before.commit } : null,
    patch: null,
    why: 'not compared',
  }),
  draftProposal: async () => ok({ digest: '0'.repeat(64), patches: [], accounts: [], refused: [] }),
  planProposal: async () => failed(unreadable),
  openProposal: async () => ok([]),
  explain: async ({ host_id: id }) => (id === '103' ? failed(unreadable) : ok(givenClaims)),
  testNotification: async () => ok({ sent: true, message: 'sent' }),
};
