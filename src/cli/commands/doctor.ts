import type { Connection } from '../../accounts/engine/connection.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { loadDesired } from '../../input/load-desired.ts';
import type { Color } from '../../output/review/color.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import { layOut } from '../../output/review/table.ts';
import { type ExitCode, exitCodeOf } from '../../run/apply/exit-code.ts';
import { proxiesFor } from '../../service/client/proxy.ts';
import { credentialsRejected } from '../../service/wire/right-problem.ts';
import { printResult } from '../listing/print-listing.ts';
import { filesFor, loadOptions } from '../planning/read-desired-state.ts';
import { accountOf, connectService } from '../service/connect-service.ts';
import { isReadOnly } from '../service/refuse-writing.ts';
import type { Context } from '../shell/context.ts';
import { problemDocument } from '../shell/problem-document.ts';
import { version } from '../shell/version.ts';

/** One check. */
interface Finding {
  readonly check: HealthCheck;
  readonly state: 'well' | 'doubtful' | 'ill' | 'not checked';
  /** The observation, not yet escaped. */
  readonly detail: string;
  /** The problems, if it did not pass. */
  readonly problems: readonly Problem[];
}

type HealthCheck =
  | 'versions'
  | 'desired state'
  | 'state'
  | 'configuration'
  | 'proxy'
  | 'service'
  | 'credentials'
  | 'clock';

const oldestNode = 24;
/** Expiry times of reports follow the service's clock. */
const mostSkewMs = 30_000;

/** Checks everything that a run needs, in the order in which it is needed. Sends one GET request. */
async function examine(context: Context): Promise<readonly Finding[]> {
  return [
    versions(),
    await desiredState(context),
    await stateOfRuns(context),
    ...(await serviceFindings(context)),
  ];
}

function versions(): Finding {
  const detail = `Rampart ${version()} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  const isOld = Number(process.versions.node.split('.')[0]) < oldestNode;
  return isOld
    ? ill('versions', detail, [problem('configuration', `Rampart needs Node ${oldestNode} or newer`)])
    : well('versions', detail);
}

async function desiredState(context: Context): Promise<Finding> {
  const desired = await loadDesired(filesFor([], context), loadOptions(context));
  if (!desired.ok) {
    const isAbsent = desired.problems.every(({ code }) => code === 'file-missing');
    return isAbsent
      ? { check: 'desired state', state: 'not checked', detail: 'this folder has none', problems: [] }
      : ill('desired state', 'it has errors', desired.problems);
  }
  const { files, count: entries, rules } = desired.value;
  const detail = `${files.join(', ')}: ${count(entries, 'entry', 'entries')}, ${count(rules.length, 'rule')}`;
  return desired.problems.length > 0
    ? { check: 'desired state', state: 'doubtful', detail, problems: desired.problems }
    : well('desired state', detail);
}

async function stateOfRuns(context: Context): Promise<Finding> {
  const check = 'state';
  const opened = await context.state.open();
  if (!opened.ok) return ill(check, "it can't be opened", opened.problems);
  const { place, check: examine } = opened.value;
  const found = await examine();
  return found.ok
    ? well(check, `${place} is writable and contains ${count(found.value.runs, 'run')}`)
    : ill(check, place, found.problems);
}

async function serviceFindings(context: Context): Promise<readonly Finding[]> {
  const connection = await connectService(context);
  if (!connection.ok) {
    const rest = (['proxy', 'service', 'credentials', 'clock'] as const).map(notChecked);
    return [ill('configuration', 'it is incomplete', connection.problems), ...rest];
  }
  try {
    return [
      await configuration(context, connection),
      proxy(context, connection.value),
      ...(await service(connection.value)),
    ];
  } finally {
    await connection.value.close();
  }
}

async function configuration(
  context: Context,
  { value, problems }: Result<Connection> & { readonly ok: true },
): Promise<Finding> {
  const { companyId, service: address } = value.account;
  const whose = companyId === null ? 'the account of the session' : `account ${companyId}`;
  const account = await accountOf(context);
  const state = await context.state.open();
  const held = account.ok && state.ok ? await state.value.holder(account.value) : undefined;
  const lock = held?.ok === true ? (held.value ?? undefined) : undefined;
  const notes = [
    ...(isReadOnly(context.io.env) ? ['RAMPART_READ_ONLY blocks every change'] : []),
    ...(lock === undefined
      ? []
      : [`a run of ${lock.user} on ${lock.machine} has held the lock since ${lock.since}`]),
  ];
  const detail = [`${whose} at ${address}`, ...notes].join('; ');
  return {
    check: 'configuration',
    state: problems.length > 0 || lock !== undefined ? 'doubtful' : 'well',
    detail,
    problems,
  };
}

function proxy({ io, settings }: Context, { account }: Connection): Finding {
  if (settings.emulator !== undefined) return notChecked('proxy');
  const url = new URL(account.service);
  const proxies = proxiesFor(url, io.env);
  if (!proxies.ok) return ill('proxy', 'the environment has an invalid proxy address', proxies.problems);
  if (proxies.value === null) return well('proxy', 'none: the connection is direct');
  const { httpProxy, httpsProxy, noProxy } = proxies.value;
  const used = url.protocol === 'https:' ? httpsProxy : httpProxy;
  const except = noProxy === '' ? '' : `, except for ${noProxy}`;
  return well('proxy', used === '' ? 'none for this address' : `${new URL(used).host}${except}`);
}

async function service({ client }: Connection): Promise<readonly Finding[]> {
  const answer = await client.call('checkAuthentication');
  if (!answer.ok) {
    const { problem: cause, status } = answer.failure;
    const isReached = status !== undefined && status !== null;
    return [
      isReached ? well('service', 'it responds') : ill('service', "it can't be reached", [cause]),
      isReached ? ill('credentials', 'not accepted', [cause]) : notChecked('credentials'),
      clock(client.clockSkewMs),
    ];
  }
  return [
    well('service', 'it responds'),
    answer.value.success
      ? well('credentials', 'accepted')
      : ill('credentials', 'not accepted', [credentialsRejected]),
    clock(client.clockSkewMs),
  ];
}

function clock(skewMs: number | undefined): Finding {
  if (skewMs === undefined) return notChecked('clock');
  const words = `the service's clock is ${durationWords(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`;
  if (Math.abs(skewMs) <= mostSkewMs) return well('clock', "in agreement with the service's clock");
  return { check: 'clock', state: 'doubtful', detail: words, problems: [] };
}

function well(check: HealthCheck, detail: string): Finding {
  return { check, state: 'well', detail, problems: [] };
}

function ill(check: HealthCheck, detail: string, problems: readonly Problem[]): Finding {
  return { check, state: 'ill', detail, problems };
}

function notChecked(check: HealthCheck): Finding {
  return { check, state: 'not checked', detail: '', problems: [] };
}

/** Checks everything that a run needs: versions, files, configuration, proxy, service, credentials, clocks. */
export async function doctor(context: Context): Promise<ExitCode> {
  const findings = await examine(context);
  const problems = findings.flatMap((each) => each.problems);
  const checks = findings.map(({ check, state, detail }) => ({ check, state, detail }));
  printResult(context, { ...problemDocument(problems), checks }, () => paint(findings, context));
  context.report(problems);
  return exitCodeOf(problems);
}

function paint(findings: readonly Finding[], { settings, io }: Context): string {
  const rows = findings.map(({ check, state, detail }) => {
    const [text, color] = marks[state];
    return [{ text, paint: settings.outColor[color] }, { text: check }, { text: printable(detail) }];
  });
  const columns = ['fixed', 'fixed', 'name'] as const;
  return `${layOut(rows, { columns, indent: 0, width: io.stdout.columns }).join('\n')}\n`;
}

const marks: Readonly<Record<Finding['state'], readonly [string, keyof Color]>> = {
  well: ['✓', 'green'],
  doubtful: ['!', 'yellow'],
  ill: ['✗', 'red'],
  'not checked': ['-', 'dim'],
};
