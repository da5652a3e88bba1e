/**
 * The same reorganization with Rampart, with a typical script, and as Terraform resources, for which the built-in
 * `terraform_data` stands in: calls, time and memory; and what is left if a call fails half-way, or the program is
 * killed there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reorganization, tableOf } from './alternatives/reorganization.ts';
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
  'Compared with the alternatives',
  `One host in ten is renamed, one in twenty exchanges names with other hosts, and one in ten is moved. The service takes ${latencyMs} ms for a call and has no limit. Whole processes with the same table`,
);
await compareWholeRuns();
await compareFailures();
await comparePlanning();
rmSync(folder, { recursive: true });

async function compareWholeRuns(): Promise<void> {
  const row = report.table(['hosts, tool', 'calls', 'refused', 'time', 'peak memory', 'wrong hosts']);
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
      name: '500 half-way',
      job: { failing: { action: 'renameHost', nth: writes, effect: { kind: 'status', status: 500 } } },
    },
    {
      name: 'reply lost half-way',
      job: { failing: { action: 'renameHost', nth: writes, effect: { kind: 'drop', when: 'after' } } },
    },
    { name: 'killed half-way', job: { reportAt: writes } },
    { name: 'ids beyond 2^53', job: { largeIds: true } },
  ];
  const row = report.table([
    `${smallSize} hosts, tool`,
    'exit',
    'wrong hosts',
    'exit of the second run',
    'wrong hosts after the second run',
    'total calls',
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
      'After a failed or unanswered call, Rampart reads the fleet and repeats the call if that is safe. A second run does only',
      'what is left. Rampart reports what it cannot do, and exits with 5. The script can never swap names in a cycle: each',
      'call gets a 409, which it prints and ignores. It exits with 0 even so, stops at a lost reply, and rounds large ids, so',
      'its calls go to hosts that do not exist or to other hosts. Terraform stores in its state what was done, and continues',
      'from there. Without a provider it has no resource for this service, and by itself it knows neither that a rename waits',
      'for another nor how to break a cycle.',
    ].join(' '),
  );
}

async function comparePlanning(): Promise<void> {
  if (!hasTerraform()) return report.note('terraform is not installed, so its planning was not measured.');
  const row = report.table(['hosts, planning only', 'time', 'peak memory']);
  for (const size of sizes) {
    const { after } = reorganization(size);
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

/** This many runs of one tool on one service, one after another; only the first is killed if the job requires it. */
async function runs(tool: Tool, job: ServiceJob, count: number): Promise<readonly [Run, ...Run[]]> {
  const service = await startService(job);
  const command = tool.command(service, roomWith(folder, tableOf(reorganization(job.size, job).after)));
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
