/**
 * What the provider costs under the real `terraform`, against the emulator on the loopback: plan, apply and a plan
 * without changes beside the same number of Terraform's own `terraform_data`, which needs no provider; `rampart_fleet`
 * beside as many resources; the provider's start beside that of Node; and the peak memory of the provider.
 *
 * With `RAMPART_BENCH_PROFILE=folder` every process of the provider leaves a profile of its CPU there.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { runProcess } from './measure/whole-process.ts';
import { openReport } from './report/report.ts';
import {
  type Blocks,
  configurationOf,
  fleetOf,
  hostsOf,
  type ResourceKind,
  repeatState,
} from './terraform/blocks.ts';
import { serveFleet } from './terraform/fleet-service.ts';
import { installInto } from './terraform/installed-provider.ts';
import { timeToHandshake } from './terraform/start-up.ts';
import { createWorkspace, type Workspace } from './terraform/workspace.ts';

const [applied, planned]: readonly [Blocks, Blocks] = isQuick
  ? [
      { count: 1, size: 100 },
      { count: 10, size: 100 },
    ]
  : [
      { count: 10, size: 100 },
      { count: 100, size: 100 },
    ];
const rounds = isQuick ? 1 : 3;
// One plan of ten thousand resources takes minutes.
const plannedRounds = isQuick ? 5 : 1;
const starts = isQuick ? 5 : 31;

const report = openReport('Terraform', "The provider compared with Terraform's built-in terraform_data");
if (spawnSync('terraform', ['version']).status !== 0) report.note('terraform is not on the PATH.');
else await inFolder(mkdtempSync(join(tmpdir(), 'rampart-terraform-')));

async function inFolder(folder: string): Promise<void> {
  try {
    const { program, env } = await installInto(folder);
    await startUp(program, env);
    const row = report.table(['what', 'ms', 'terraform_data, ms', 'ratio', 'goal', 'requests', 'provider']);
    await fewPlanned(folder, env, row);
    await manyApplied(folder, env, row);
    await manyPlanned(folder, env, row);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Row = (cells: readonly string[]) => void;
type Env = Readonly<Record<string, string>>;

async function startUp(program: string, env: Env): Promise<void> {
  const bare: number[] = [];
  const own: number[] = [];
  // The first ones fill the compile cache.
  for (let round = -3; round < starts; round += 1) {
    const { ms } = await runProcess({ file: process.execPath, argv: ['-e', '0'], env });
    const handshake = await timeToHandshake(program, env);
    if (round < 0) continue;
    bare.push(ms);
    own.push(handshake);
  }
  const row = report.table(['start', 'ms', 'node -e 0, ms', 'ratio', 'goal']);
  row(['to the handshake', ...beside(own, bare), '≤ 4']);
}

/** Plan, apply, and plan again, from nothing: each round wants other names. */
async function manyApplied(folder: string, env: Env, row: Row): Promise<void> {
  const service = await serveFleet(hostsOf(applied, 'OLD'));
  const ways = (['rampart_host', 'terraform_data'] as const).map((kind) => ({
    kind,
    workspace: createWorkspace(join(folder, `applied-${kind}`), { ...env, ...service.env }),
    plan: [] as number[],
    apply: [] as number[],
    again: [] as number[],
  }));
  let requests = { plan: 0, apply: 0, again: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const { kind, workspace, plan, apply, again } of ways) {
      await workspace.configure({ 'main.tf': configurationOf(kind, applied, `NEW${round}`) });
      workspace.writeState(null);
      service.requests();
      plan.push(await workspace.plan(2));
      const ofPlan = service.requests();
      apply.push(await workspace.apply());
      const ofApply = service.requests();
      again.push(await workspace.plan(0));
      if (kind === 'rampart_host') requests = { plan: ofPlan, apply: ofApply, again: service.requests() };
    }
  }
  await service.close();
  const [own, builtIn] = ways;
  if (own === undefined || builtIn === undefined) return;
  const hosts = countOf(applied);
  row([`plan ${hosts}`, ...beside(own.plan, builtIn.plan), '', String(requests.plan)]);
  row([`apply ${hosts}`, ...beside(own.apply, builtIn.apply), '', String(requests.apply)]);
  row([
    `plan ${hosts}, no change`,
    ...beside(own.again, builtIn.again),
    '≤ 2.5',
    String(requests.again),
    memoryOf(own.workspace),
  ]);
}

/** As many hosts as most accounts have: the goal is the memory of the provider. */
async function fewPlanned(folder: string, env: Env, row: Row): Promise<void> {
  const few: Blocks = { count: 5, size: 100 };
  const service = await serveFleet(hostsOf(few, 'NAME'));
  const workspace = createWorkspace(join(folder, 'few'), { ...env, ...service.env });
  await workspace.configure({ 'main.tf': configurationOf('rampart_host', { count: 1, size: 1 }, 'NAME') });
  await workspace.apply();
  await workspace.configure({ 'main.tf': configurationOf('rampart_host', few, 'NAME') });
  workspace.writeState(repeatState(workspace.readState(), few));
  service.requests();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await workspace.plan(0));
  const requests = service.requests() / rounds;
  await service.close();
  const ms = String(Math.round(median(times)));
  const goal = 'provider ≤ 110 MB';
  row([`plan ${countOf(few)}, no change`, ms, '', '', goal, String(requests), memoryOf(workspace)]);
}

/** More hosts than can be applied in reasonable time: the planned state is that of one host, repeated. */
async function manyPlanned(folder: string, env: Env, row: Row): Promise<void> {
  const service = await serveFleet(hostsOf(planned, 'NAME'));
  const at = (name: string) => createWorkspace(join(folder, `planned-${name}`), { ...env, ...service.env });
  const resources = async (kind: ResourceKind) => {
    const workspace = at(kind);
    await workspace.configure({ 'main.tf': configurationOf(kind, { count: 1, size: 1 }, 'NAME') });
    await workspace.apply();
    await workspace.configure({ 'main.tf': configurationOf(kind, planned, 'NAME') });
    workspace.writeState(repeatState(workspace.readState(), planned));
    return { workspace, times: [] as number[] };
  };
  const own = await resources('rampart_host');
  const builtIn = await resources('terraform_data');
  const whole = { workspace: at('rampart_fleet'), times: [] as number[] };
  await whole.workspace.configure(fleetOf(planned, 'NAME'));
  await whole.workspace.apply();
  let requests = { own: 0, whole: 0 };
  for (let round = 0; round < plannedRounds; round += 1) {
    service.requests();
    own.times.push(await own.workspace.plan(0));
    const ofOwn = service.requests();
    whole.times.push(await whole.workspace.plan(0));
    requests = { own: ofOwn, whole: service.requests() };
    builtIn.times.push(await builtIn.workspace.plan(0));
  }
  await service.close();
  const hosts = countOf(planned);
  row([
    `plan ${hosts} in blocks of 100, no change`,
    ...beside(own.times, builtIn.times),
    '≤ 2.5',
    String(requests.own),
    memoryOf(own.workspace),
  ]);
  const [resourcesMs, fleetMs] = [median(own.times), median(whole.times)];
  row([
    `plan ${hosts}, compared with one rampart_fleet`,
    String(Math.round(resourcesMs)),
    String(Math.round(fleetMs)),
    (resourcesMs / fleetMs).toFixed(1),
    isQuick ? '' : '≥ 20',
    String(requests.whole),
    memoryOf(whole.workspace),
  ]);
}

function memoryOf({ providerPeakMb }: Workspace): string {
  return `${providerPeakMb().toFixed(0)} MB`;
}

function countOf({ count, size }: Blocks): string {
  return (count * size).toLocaleString('en');
}

/** Both medians, and the ratio of the first to the second. */
function beside(times: readonly number[], others: readonly number[]): readonly string[] {
  const [own, other] = [median(times), median(others)];
  return [String(Math.round(own)), String(Math.round(other)), (own / other).toFixed(2)];
}
