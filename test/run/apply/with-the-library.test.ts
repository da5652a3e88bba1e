import { expect, it } from 'vitest';
import {
  applyPlan,
  systemClock as clock,
  createAdaptivePacer,
  createClient,
  createEmulator,
  createFleetReader,
  createFleetWriter,
  makePlan,
  openState,
  paintPlan,
  plainColor,
  planChecksum,
  readDesired,
  readSeed,
  toRows,
} from '../../../src/index.ts';
import { givenFolder } from '../../given/given-folder.ts';

it('a program plans, paints and applies with what the library exports', async () => {
  const stateDir = givenFolder();
  const seed = readSeed('hosts: [{ id: 1, name: A }, { id: 2, name: B }]', 'seed.yaml');
  const text = 'version: 1\nhosts: [{ id: 1, name: B }, { id: 2, name: A }]\n';
  const desired = readDesired([{ file: 'fleet.yaml', text }]);
  const state = await openState({ stateDir });
  if (!seed.ok || !desired.ok || !state.ok) throw new Error('not read');
  const emulator = createEmulator({ state: seed.value, clock });
  const client = createClient({
    exchange: emulator.exchange,
    credentials: { kind: 'basic', ...emulator.credentials },
    clock,
    pacers: () => createAdaptivePacer({ clock }),
  });
  const [reader, writer] = [createFleetReader(client, { clock }), createFleetWriter(client)];
  const observed = await reader.read({ antivirus: false });
  if (!observed.ok) throw new Error('no fleet');
  const account = { companyId: emulator.credentials.companyId, service: 'emulator' };
  const now = new Date(clock.now()).toISOString();
  const plan = makePlan({ desired: desired.value, observed: observed.value, account, now });
  expect(paintPlan(toRows(plan), { color: plainColor, columns: null })).toContain('two hosts swap names');

  const holder = { machine: 'ci', user: 'ci', pid: process.pid, since: now };
  const lease = await state.value.acquire(account, { clock, timeoutMs: 0, holder });
  if (!lease.ok) throw new Error('no lock');
  const journal = await state.value.startRun(lease.value, {
    account,
    clock,
    planChecksum: planChecksum(plan),
    steps: plan.steps.length,
    fleetSize: observed.value.count,
  });
  if (!journal.ok) throw new Error('no journal');
  const summary = await applyPlan({
    plan,
    observed: observed.value,
    reader,
    writer,
    journal: journal.value,
    clock,
    stop: new AbortController().signal,
    onEvent: () => {},
  });
  expect(summary.verified).toBe(true);
  expect(emulator.state().hosts.map(({ name }) => name)).toEqual(['B', 'A']);
  expect((await journal.value.end(0)).ok).toBe(true);
  await lease.value.release();
  await state.value.close();
});
