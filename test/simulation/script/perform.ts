import { ok } from '../../../src/core/problem/problem.ts';
import { isPassingFault } from '../../../src/run/state/postgres/database-problem.ts';
import { happen, wakeAccounts } from '../../../src/server/accounts/rules/happen.ts';
import { decidePlan } from '../../../src/server/approvals/routes/decide-plan.ts';
import type { PlanRecord } from '../../../src/server/plans/records/plans.ts';
import { startRolloutRoutes } from '../../../src/server/rollouts/routes/start-rollout.ts';
import { abortRollout, stopRollout } from '../../../src/server/rollouts/rules/change-rollout.ts';
import { proposeUndo } from '../../../src/server/runs/rules/propose-undo.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { SimulatedServer } from '../cluster/server.ts';
import { emailOf } from './people.ts';
import type { Act } from './script.ts';

/** A decision that someone sends to the server, whether or not it arrives. */
export interface SentDecision {
  readonly plan: string;
  readonly person: string;
  readonly decision: 'approved' | 'rejected';
  readonly at: number;
}

/** Who hears what people do. */
export interface People {
  edits(account: string): void;
  sends(decision: SentDecision): void;
  /** The server has recorded the decision. */
  hasDecided(decision: SentDecision): void;
}

type Of<Kind extends Act['kind']> = Extract<Act, { readonly kind: Kind }>;

/** Carries out an act. Its later effects, such as the thaw of a machine, happen by themselves. */
export function perform(act: Act, cluster: Cluster, people: People): void {
  const { world, service, database, repository } = cluster;
  const later = (ms: number, work: () => void) => void world.sleep(ms).then(work);
  switch (act.kind) {
    case 'edit':
      cluster.emulatorOf(act.account).edit(act.edit);
      return people.edits(act.account);
    case 'commit':
      return repository.commit(act.account, act.author, act.hosts);
    case 'decide':
      return ask(cluster, (server) => decide(act, server, cluster, people));
    case 'pause':
      return ask(cluster, (server) => pause(act, server));
    case 'resume':
      return ask(cluster, (server) => resume(act.account, server));
    case 'stop':
      return ask(cluster, (server) => stop(act.account, server));
    case 'plan-again':
      return ask(cluster, async ({ jobs }) => {
        await happen(act.account, { kind: 'hold-lifted' }, jobs);
        await jobs.queue.send('check', [act.account]);
      });
    case 'check':
      return ask(cluster, async ({ jobs }) => void (await jobs.queue.send('check', [act.account])));
    case 'override':
      return ask(cluster, (server) => override(act.account, server));
    case 'undo':
      return ask(cluster, (server) => undo(act.account, server));
    case 'ignore':
      return ask(cluster, (server) => ignore(act, server, cluster));
    case 'start-rollout':
      return ask(cluster, (server) => startRollout(act, server, cluster, people));
    case 'end-rollouts':
      return ask(cluster, (server) => endRollouts(act, server, cluster));
    case 'lose-source':
      repository.lose(true);
      return later(act.forMs, () => repository.lose(false));
    case 'lose-receiver':
      cluster.receiver.fail(act.how);
      return later(act.forMs, () => cluster.receiver.fail(undefined));
    case 'kill':
      cluster.kill(act.machine);
      return later(act.forMs, () => cluster.start(act.machine));
    case 'freeze':
      cluster.freeze(act.machine);
      return later(act.forMs, () => cluster.thaw(act.machine));
    case 'jump':
      return cluster.servers[act.machine]?.machine.jump(act.ms);
    case 'fail-over':
      return database.failOver(act.loss, act.forMs);
    case 'misbehave':
      service.misbehave(act.how);
      return later(act.forMs, () => service.misbehave(undefined));
  }
}

function person(name: string) {
  return { kind: 'person', id: name, name } as const;
}

/** Sends a request to the first server that responds. */
function ask({ servers }: Cluster, work: (server: SimulatedServer) => Promise<void>): void {
  const server = servers.find((each) => each?.machine.state === 'up');
  if (server === undefined) return;
  void server.machine.run(async () => {
    try {
      await work(server);
    } catch (error) {
      // The person sees that the server failed, and goes away.
      if (!isPassingFault(error)) throw error;
    }
  });
}

async function decide(
  { account, person: name, decision, afterMs }: Of<'decide'>,
  { http, machine }: SimulatedServer,
  { world }: Cluster,
  people: People,
): Promise<void> {
  const { store } = http;
  const seen = await store.accounts.find(account, 'all');
  const plan = await store.plans.find(seen?.plan?.id ?? '', 'all');
  if (plan === undefined) return;
  if (afterMs > 0) await machine.clock.sleep(afterMs);
  const numbers = Object.fromEntries(plan.required.numbers.map(({ limit, value }) => [limit, value]));
  const sent: SentDecision = { plan: plan.id, person: name, decision, at: world.now() };
  people.sends(sent);
  const decided = await decidePlan(
    {
      parts: http,
      identity: { subject: person(name), email: emailOf(name), grants: [], csrf: null, expiresAt: null },
      visible: 'all',
      peer: { address: '127.0.0.1' },
    },
    plan.id,
    { via: 'console', decision, checksum: plan.checksum, numbers: decision === 'approved' ? numbers : {} },
  );
  if (decided.ok) people.hasDecided(sent);
}

async function startRollout(
  { person: name, canary }: Of<'start-rollout'>,
  { http }: SimulatedServer,
  { accounts, world }: Cluster,
  people: People,
): Promise<void> {
  const plans: PlanRecord[] = [];
  for (const account of accounts.keys()) {
    const seen = await http.store.accounts.find(account, 'all');
    const plan = await http.store.plans.find(seen?.plan?.id ?? '', 'all');
    if (plan?.state === 'waiting' && plan.changes > 0) plans.push(plan);
  }
  if (plans.length === 0) return;
  for (const { id: plan } of plans)
    people.sends({ plan, person: name, decision: 'approved', at: world.now() });
  const [start] = startRolloutRoutes;
  await start?.handle({
    parts: http,
    identity: { subject: person(name), email: emailOf(name), grants: [], csrf: null, expiresAt: null },
    visible: 'all',
    may: () => true,
    peer: { address: '127.0.0.1' },
    body: {
      plans: plans.map(({ id, checksum, required }) => ({
        id,
        checksum,
        numbers: Object.fromEntries(required.numbers.map(({ limit, value }) => [limit, value])),
      })),
      reason: 'the new names',
      ...(plans.some(({ account }) => account === canary) ? { canary: [canary] } : {}),
    },
  } as never);
}

async function endRollouts(
  { how }: Of<'end-rollouts'>,
  { jobs }: SimulatedServer,
  { database }: Cluster,
): Promise<void> {
  const end = how === 'stop' ? stopRollout : abortRollout;
  for (const [id] of database.tables.rollouts.entries()) await end(id, person('ada'), 'enough', jobs);
}

async function pause({ account, forMs }: Of<'pause'>, { http, jobs }: SimulatedServer): Promise<void> {
  const until = forMs < 60_000 ? null : new Date(http.clock.now() + forMs);
  await http.store.pauses.add({
    scope: `account:${account}`,
    by: person('ada'),
    reason: 'maintenance',
    until,
  });
  await wakeAccounts(jobs);
}

async function resume(account: string, { http, jobs }: SimulatedServer): Promise<void> {
  for (const { id, scope } of await http.store.pauses.list())
    if (scope === `account:${account}`) await http.store.pauses.end(id);
  await wakeAccounts(jobs);
}

async function stop(account: string, { http, jobs }: SimulatedServer): Promise<void> {
  const found = await http.store.accounts.find(account, 'all');
  const run = found?.run ?? null;
  if (run === null) return;
  const asked = await happen(account, { kind: 'stop-asked', run }, jobs, {
    stopBy: person('ada'),
  });
  if (asked.ok) await jobs.queue.send('run', [account]);
}

async function override(account: string, { http, jobs }: SimulatedServer): Promise<void> {
  const run = (await http.store.accounts.find(account, 'all'))?.run ?? null;
  if (run === null) return;
  const event = { kind: 'windows-overridden', run } as const;
  const decided = await happen(account, event, jobs, {
    and: async ({ runs }) => ok(await runs.overrideWindows(run, person('ada'), 'incident')),
  });
  if (decided.ok) await jobs.queue.send('run', [account]);
}

async function undo(account: string, { http, jobs }: SimulatedServer): Promise<void> {
  const states = ['done', 'failed', 'in_doubt', 'stopped'] as const;
  const ended = await http.store.runs.list({ visible: 'all', account, states, limit: 1 });
  const run = ended.ok ? ended.value.items[0] : undefined;
  if (run !== undefined) await proposeUndo(run, person('ada'), jobs);
}

async function ignore(
  { account, forMs }: Of<'ignore'>,
  { http, jobs }: SimulatedServer,
  { database }: Cluster,
): Promise<void> {
  const [first] = database.tables.accounts.get(account)?.drift.values() ?? [];
  if (first === undefined) return;
  await http.store.ignores.add({
    account,
    differences: [first],
    reason: 'known',
    by: person('ada'),
    until: new Date(http.clock.now() + forMs),
  });
  await jobs.queue.send('check', [account]);
}
