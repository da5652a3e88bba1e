import type { PlanDetail, PlanFiles } from '../../../src/api/plans.ts';
import type { FakeRoute } from './fake-api.ts';
import {
  ada,
  after,
  before,
  givenApproval,
  givenComparison,
  givenPlanDetail,
  givenPlanRow,
  givenReviewHosts,
} from './plans.ts';
import { pageOf } from './routes.ts';
import { givenEndedRun, givenRollout, givenRolloutDetail, givenRunDetail, givenRunEvents } from './runs.ts';
import { givenAudit, givenSettings, givenToken } from './settings.ts';

/** The page of events that a request selects, as the server returns it. */
export function eventsRoute(events: ReturnType<typeof givenRunEvents>): FakeRoute {
  return ({ query }) => {
    const limit = Number(query.get('limit') ?? 100);
    const [after, before] = [query.get('after'), query.get('before')];
    const items =
      after !== null
        ? events.filter(({ seq }) => seq > Number(after)).slice(0, limit)
        : events.filter(({ seq }) => before === null || seq < Number(before)).slice(-limit);
    return { status: 200, body: { items } };
  };
}

/** The hosts of a plan, searched as the server does. */
export function planHostsRoute(count: number): FakeRoute {
  const hosts = givenReviewHosts(count);
  return (request) => {
    const text = request.query.get('q')?.toLowerCase() ?? '';
    const action = request.query.get('action');
    const irreversible = request.query.get('irreversible');
    return pageOf(
      request,
      hosts.filter(
        (host) =>
          `${host.name} ${host.new_name} ${host.host_id} ${host.group}`.toLowerCase().includes(text) &&
          (irreversible === null ||
            ['delete', 'install'].includes(host.action[0] ?? '') === (irreversible === 'true')) &&
          (action === null || host.action.some((each) => each === action)),
      ),
    );
  };
}

/** Ada approves some plans, so another person wrote them. */
const author = 'Linus Weber <linus@contoso.example>';

const plans: readonly PlanDetail[] = [
  givenPlanDetail({ approvals: [givenApproval()] }),
  givenPlanDetail({
    ...givenPlanRow({
      id: 'pl_stale',
      account: 'fabrikam',
      state: 'stale',
      reason: 'host 812340003 was renamed in the fleet after the plan was made',
    }),
  }),
  givenPlanDetail({
    ...givenPlanRow({
      id: 'pl_mine',
      account: 'tailspin',
      author: ada.name,
      created_at: before(190),
      counts: { rename: 40, move: 0, delete: 0, install: 0, refresh: 0 },
      required: { approvals: 1, not_author: true, numbers: [], approvers: [] },
      may_approve: { allowed: false, reason: 'You wrote this change, so another person approves it' },
    }),
    irreversible_hosts: [],
    problems: [],
  }),
  givenPlanDetail({
    ...givenPlanRow({
      id: 'pl_northwind_7',
      account: 'northwind',
      state: 'running',
      author,
      counts: { rename: 160, move: 24, delete: 4_312, install: 10, refresh: 0 },
    }),
    approvals: [
      givenApproval({
        numbers: { delete: 4_312 },
        comment: 'Checked with the shops: these kiosks are gone.',
      }),
      givenApproval({ numbers: { delete: 4_312 }, by: ada, comment: 'Go.' }),
    ],
    run: 'run_northwind_7',
  }),
  givenPlanDetail({
    ...givenPlanRow({
      id: 'pl_contoso_4',
      state: 'stale',
      author,
      reason: 'its run ended in doubt; the next check plans what is left',
    }),
    approvals: [givenApproval(), givenApproval({ by: ada, comment: 'Go.' })],
    run: 'run_contoso_4',
  }),
];

/** What was edited for a plan. */
export const givenPlanFiles: PlanFiles = {
  source: 'main',
  commit: '906c382f1a',
  before: { plan: 'pl_contoso_0', commit: '41d7aa02c9' },
  patch: {
    text: `--- policies/kiosks.yaml
+++ policies/kiosks.yaml
@@ -10,5 +10,6 @@
 rules:
   - name: kiosk names
-    when: name.startsWith("KSK")
-    rename: KSK-{nnn}
+    when: group == "Berlin kiosks"
+    rename: BER-KSK-{nnn}
+    antivirus: true
   - name: laptops
`,
    added: 3,
    removed: 2,
    incomplete: [],
  },
  why: null,
};

const records = givenAudit(640);

/** Plans, runs, rollouts, records and settings of a server on which something of everything happens. */
export function workRoutes(): Readonly<Record<string, FakeRoute>> {
  const [running, ended] = [givenRunDetail(), givenEndedRun()];
  return {
    'GET /plans': (request) =>
      pageOf(
        request,
        plans.filter(({ state }) => (request.query.get('state') ?? state).split(',').includes(state)),
      ),
    'GET /plans/{id}': ({ path }) => {
      const plan = plans.find(({ id }) => path.endsWith(`/${id}`));
      return { status: 200, body: plan ?? plans[0] };
    },
    'GET /plans/{id}/hosts': planHostsRoute(22),
    'GET /plans/{id}/files': { body: givenPlanFiles },
    'POST /plans/compare': {
      body: givenComparison(
        plans.filter(({ state }) => state === 'waiting' || state === 'approved'),
        {
          usual: { accounts: ['tailspin'], text: '40 renames (rule "kiosk names")' },
          unusual: [{ accounts: ['contoso'], text: 'also 3 deletions, 2 anti-virus installs, 7 moves' }],
        },
      ),
    },
    'POST /plans/{id}/approve': { body: plans[0] },
    'POST /plans/{id}/reject': { body: plans[0] },
    'POST /plans/{id}/comments': { body: {} },
    'GET /runs': (request) => pageOf(request, []),
    'GET /runs/{id}': ({ path }) => ({ status: 200, body: path.endsWith(ended.id) ? ended : running }),
    'GET /runs/{id}/events': eventsRoute(givenRunEvents(1_200)),
    'POST /runs/{id}/stop': { body: {} },
    'POST /runs/{id}/undo': { body: { plan: 'pl_contoso_1' } },
    'GET /rollouts': (request) =>
      pageOf(request, [
        givenRollout(),
        givenRollout({
          id: 'ro_winter',
          name: 'anti-virus everywhere',
          state: 'stopped',
          reason: '2 accounts of wave 1 failed',
          started_at: before(60 * 24 * 6),
          changed: { rename: 0, move: 0, delete: 0, install: 214, refresh: 0 },
          wave: 0,
          waves: [
            { name: 'canary', accounts: 4, done: 2, failed: 2, running: 0, state: 'stopped' },
            { name: 'all', accounts: 900, done: 0, failed: 0, running: 0, state: 'pending' },
          ],
        }),
        givenRollout({
          id: 'ro_autumn',
          name: 'autumn groups',
          state: 'done',
          started_at: before(60 * 24 * 40),
          ended_at: before(60 * 24 * 40 - 90),
          changed: { rename: 0, move: 1_870, delete: 0, install: 0, refresh: 0 },
          wave: 2,
          waves: [
            { name: 'canary', accounts: 2, done: 2, failed: 0, running: 0, state: 'done' },
            { name: 'all', accounts: 76, done: 76, failed: 0, running: 0, state: 'done' },
          ],
        }),
      ]),
    'POST /rollouts': () => ({ status: 202, body: { id: 'ro_spring' } }),
    'GET /rollouts/{id}': { body: givenRolloutDetail() },
    'POST /rollouts/{id}/stop': { body: {} },
    'POST /rollouts/{id}/continue': { body: {} },
    'POST /rollouts/{id}/abort': { body: {} },
    'GET /audit': (request) =>
      pageOf(
        request,
        records.filter(
          ({ account, kind, text }) =>
            (request.query.get('account') ?? account) === account &&
            (request.query.get('kind') ?? kind) === kind &&
            text.includes(request.query.get('q') ?? ''),
        ),
      ),
    'GET /audit/choices': {
      body: {
        kinds: [...new Set(records.map(({ kind }) => kind))],
        people: [...new Set(records.map(({ by }) => by))],
      },
    },
    'GET /audit/verify': {
      body: {
        verdict: 'intact',
        records: 5_000,
        head: null,
        signed_head: null,
        fault_count: 0,
        faults: [],
        unnoticed: [],
        at: before(0),
      },
    },
    'GET /settings': { body: givenSettings() },
    'GET /notifications/deliveries': (request) =>
      pageOf(
        request,
        (['dead', 'sent', 'pending'] as const).map((state, index) => ({
          id: String(3 - index),
          name: 'on-call',
          kind: 'in_doubt',
          account: 'contoso',
          state,
          attempts: 1,
          created_at: before(index),
          sent_at: state === 'sent' ? before(index) : null,
          due_at: state === 'pending' ? before(0) : null,
          problem: state === 'dead' ? 'Slack answered 404' : null,
        })),
      ),
    'POST /notifications/deliveries/{id}/resend': { body: { redriven: 1 } },
    'POST /notifications/{name}/test': { body: { sent: true, message: 'Slack accepted the message.' } },
    'POST /notifications/{name}/redrive': { body: { redriven: 7 } },
    'GET /tokens': (request) =>
      pageOf(request, [
        givenToken(),
        givenToken({
          id: 'tok_2',
          name: 'chat commands',
          grants: [{ role: 'operator', where: 'region == "eu"' }],
          last_used_at: null,
        }),
        givenToken({ id: 'tok_3', name: 'old dashboard', revoked_at: before(60 * 24 * 3) }),
      ]),
    'POST /tokens': ({ body }) => ({
      status: 201,
      body: {
        ...givenToken({
          id: 'tok_4',
          name: (body as { name: string }).name,
          expires_at: after(60 * 24 * 90),
        }),
        token: 'rmp_Q2hvb3NlIGEgdG9rZW4gdGhhdCBub2JvZHkga25vd3Mu',
      },
    }),
    'DELETE /tokens/{id}': () => ({ status: 204, body: null }),
  };
}
