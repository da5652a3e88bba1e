/**
 * The same reorganisation by Rampart, by a script as people write them today, and as resources of Terraform, for
 * which its built-in `terraform_data` stands: calls, time and memory; and what is left when a call fails half-way,
 * or the program is killed there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reorganisation, tableOf } from './alternatives/reorganisation.ts';
import { startService } from './alternatives/service.ts';
import type { Account, ServiceJob } from './alternatives/service-job.ts';
import { hasTerraform, terraformPlan } from './alternatives/terraform.ts';
import { roomWith, type Tool, toolsIn } from './alternatives/tools.ts';
import { isQuick } from './measure/quick.ts';
import { runProcess, type WholeProcess } from './measure/whole-process.ts';
import { openReport } from './report/report.ts';

const latencyMs = 5;
const sizes = isQuick ? [1_000] : [1_000, 10_000];
const smallSize = 400;
const folder = mkdtempSync(join(tmpdir(), 'rampart-alternatives-'));
const tools = await toolsIn(folder);

const report = openReport(
  'Against what people would use instead',
  `one host in ten is renamed, one in twenty gets the name of another in a permutation, one in ten is moved, by a service that takes ${latencyMs} ms for a call and has no limit; whole processes with the same table`,
);
await compareWholeRuns();
await compareFailures();
await comparePlanning();
rmSync(folder, { recursive: true });

async function compareWholeRuns(): Promise<void> {
  const row = report.table(['hosts, tool', 'calls', 'refused', 'time', 'peak memory', 'not as wanted']);
  for (const size of sizes) {
    for (const tool of tools) {
      const [{ run, account }] = await runs(tool, { size, largeIds: false, latencyMs }, 1);
      row([`${size.toLocaleString('en')}, ${tool.name}`, ...counts(account), ...costs(run), wrong(account)]);
    }
  }
}

async function compareFailures(): Promise<void> {
  const writes = Math.round(smallSize / 8);
  const cases: readonly { readonly name: string; readonly job: Partial<ServiceJob> }[] = [
    { name: 'nothing fails', job: {} },
    {
      name: '500 in the middle',
      job: { failing: { action: 'renameHost', nth: writes, effect: { kind: 'status', status: 500 } } },
    },
    {
      name: 'reply lost in the middle',
      job: { failing: { action: 'renameHost', nth: writes, effect: { kind: 'drop', when: 'after' } } },
    },
    { name: 'killed in the middle', job: { reportAt: writes } },
    { name: 'ids beyond 2^53', job: { largeIds: true } },
  ];
  const row = report.table([
    `${smallSize} hosts, tool`,
    'exit',
    'not as wanted',
    'exit of a second run',
    'not as wanted then',
    'calls in all',
  ]);
  for (const { name, job } of cases) {
    for (const tool of tools) {
      const [first, second] = await runs(tool, { size: smallSize, largeIds: false, latencyMs, ...job }, 2);
      const cells = [first, second].flatMap((each) => [exitOf(each?.run), wrong(each?.account)]);
      row([`${name}, ${tool.name}`, ...cells, String(second?.account.calls)]);
    }
  }
  report.note(
    [
      'Rampart reads what became of a call that failed or was never answered, and asks again where that is safe; a second run does',
      'what is left and nothing else; what it cannot do it names, and exits with 5. The script can never trade names in a circle',
      '(409 each time, told on stderr and forgotten), exits with 0 all the same, breaks off at a lost reply, and rounds large ids, so that its',
      'calls go to hosts that do not exist, or to others. Terraform keeps in its state what was done and goes on from there; it has no resource for this',
      'service without a provider, and by itself it knows neither that a rename waits for another nor how to break a circle of them.',
    ].join(' '),
  );
}

async function comparePlanning(): Promise<void> {
  if (!hasTerraform()) return report.note('There is no terraform here: its planning was not measured.');
  const row = report.table(['hosts, planning alone', 'time', 'peak memory']);
  for (const size of sizes) {
    const { after } = reorganisation(size);
    const service = await startService({ size, largeIds: false, latencyMs });
    const [rampart] = tools;
    const { argv, ...command } = rampart.command(service, roomWith(folder, tableOf(after)));
    const planned = await runProcess({ ...command, argv: [argv[0] as string, 'plan'], mayFail: false });
    service.close();
    row([`${size.toLocaleString('en')}, rampart plan`, ...costs(planned)]);
    const terraform = await runProcess(terraformPlan(join(folder, `terraform-${size}`), after));
    row([`${size.toLocaleString('en')}, terraform plan`, ...costs(terraform)]);
  }
}

interface Run {
  readonly run: WholeProcess;
  readonly account: Account;
}

/** So many runs of one tool on one service, one after another; only the first is killed where the job says so. */
async function runs(tool: Tool, job: ServiceJob, count: number): Promise<readonly [Run, ...Run[]]> {
  const service = await startService(job);
  const command = tool.command(service, roomWith(folder, tableOf(reorganisation(job.size, job).after)));
  const next = async (isFirst: boolean): Promise<Run> => {
    const killed = isFirst && job.reportAt !== undefined ? { killedAt: service.reached } : {};
    const run = await runProcess({ ...command, ...killed });
    return { run, account: await service.account() };
  };
  const first = await next(true);
  const others: Run[] = [];
  while (others.length < count - 1) others.push(await next(false));
  service.close();
  return [first, ...others];
}

function counts({ calls, refused }: Account): readonly string[] {
  return [String(calls), String(refused)];
}

function costs({ ms, peakMb }: WholeProcess): readonly string[] {
  return [`${(ms / 1000).toFixed(1)} s`, `${peakMb?.toFixed(0) ?? '?'} MB`];
}

function wrong(account: Account | undefined): string {
  return String(account?.wrong);
}

function exitOf(run: WholeProcess | undefined): string {
  return run?.exitCode === null ? 'killed' : String(run?.exitCode);
}
