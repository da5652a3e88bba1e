/**
 * The cost of verifying a plan of 100,000 changes, compared with making it: the verifier and the planner in this
 * process, and `rampart verify` and `rampart plan` as whole processes. In the first fleet one host in two is renamed
 * and moved; in the second, which is five times as large, one in ten is renamed and another one in ten moved. The last
 * but one table is about swaps, each of which has a temporary rename: the plan with the certificate that it needs no
 * more calls, and without. The last one is about the signature of the plan.
 */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli } from '../bin/cli/build-cli.ts';
import { printPlan, readPlan } from '../src/core/plan/document/plan-document.ts';
import type { Plan } from '../src/core/plan/types/plan.ts';
import type { Step } from '../src/core/plan/types/step.ts';
import { flawsOf } from '../src/core/plan/verify/verify-plan.ts';
import { checkSignature } from '../src/run/signature/check-signature.ts';
import { signPlan } from '../src/run/signature/sign-plan.ts';
import { readSigningKey } from '../src/run/signature/ssh-key.ts';
import { inTurns, median, timeOf } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { processesInTurns } from './measure/whole-process.ts';
import { filesOf, listOf } from './plan/fleet.ts';
import { startListServer } from './plan/list-server.ts';
import { planOf, readFiles, readList } from './plan/stages.ts';
import { openReport } from './report/report.ts';

const changes = isQuick ? 10_000 : 100_000;
const rounds = isQuick ? 3 : 7;
const report = openReport('Verifying a plan', 'The goal is at most 0.5 of the time of the plan.');
const row = report.table(['changes', 'hosts', 'planner', 'checker', 'ratio', 'plan', 'verify', 'ratio']);

for (const every of [2, 10]) {
  const hosts = (changes / 2) * every;
  const files = filesOf('csv', hosts, every);
  const [planner, checker] = inProcess(files, hosts);
  const [plan, verify] = await wholeProcesses(files, hosts);
  const times = [planner, checker, checker / planner, plan, verify, verify / plan];
  row([
    String(changes),
    String(hosts),
    ...times.map((each, index) => (index % 3 === 2 ? each.toFixed(2) : `${each.toFixed(0)} ms`)),
  ]);
}

report.note(
  'The goal is that of the checker, compared with the planner. The processes also read and write files: `plan` reads the list and the desired state, and `verify` reads the plan file, checks its schema and its checksum, and then runs the checker.',
);
const swaps = isQuick ? 500 : 2_000;
const certified = report.table(['swaps', 'without certificate', 'with certificate', 'ratio']);
const [bare = 0, whole = 0] = certificates();
certified([String(swaps), `${bare.toFixed(0)} ms`, `${whole.toFixed(0)} ms`, (whole / bare).toFixed(3)]);
report.note(
  'A plan carries its certificate in its steps: why each temporary rename is needed, and the final name. The planner knows both anyway. The goal is at most 1.05.',
);

const signing = report.table(['plan file', 'signing', 'checking', 'goal']);
const [megabytes, signMs, checkMs] = signatures();
signing([`${megabytes.toFixed(0)} MB`, `${signMs.toFixed(0)} ms`, `${checkMs.toFixed(0)} ms`, '100 ms']);
report.note(
  'With an Ed25519 key and without a network, in a process that has the plan file in memory. Both include the hash of the file.',
);

/** The size of a plan file of 100,000 changes, and the time in which it is signed and checked. */
function signatures(): readonly [number, number, number] {
  const text = printPlan(planOf(readFiles(filesOf('csv', changes, 2)), readList(listOf(changes))));
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const key = readSigningKey(pem.toString(), 'key');
  if (!key.ok) throw new Error(key.problems[0]?.message);
  const now = Date.now();
  const bytes = Buffer.from(text);
  const sha256 = () => createHash('sha256').update(bytes).digest('hex');
  const subject = () => ({ sha256: sha256(), checksum: 'a'.repeat(64), account: null });
  const sign = () =>
    signPlan(subject(), key.value, { origin: { actor: 'ada', host: 'laptop' }, now, lifeMs: 3_600_000 });
  const signed = sign();
  const allowed = [{ names: ['ada'], publicBlob: key.value.publicBlob }];
  const check = () => {
    const checked = checkSignature(signed, 'plan.json.sig', subject(), { allowed, required: [['ada']], now });
    if (!checked.ok) throw new Error(checked.problems[0]?.message);
  };
  const [signMs = 0, checkMs = 0] = inTurns(rounds, [sign, check]);
  return [bytes.length / 1e6, signMs, checkMs];
}

/** Planning, and writing the plan. */
function certificates(): readonly number[] {
  const list = listOf(2 * swaps);
  const observed = readList(list);
  const rows = Array.from(
    { length: observed.count },
    (_, index) => `${observed.idAt(index)},${observed.nameAt(index ^ 1)}\n`,
  );
  const files = {
    'fleet.yaml': 'version: 1\nhostsFrom: hosts.csv\n',
    'hosts.csv': `id,name\n${rows.join('')}`,
  };
  const write = (each: (step: Step) => object) => () => {
    const plan = planOf(readFiles(files), readList(list));
    printPlan({ ...plan, steps: plan.steps.map(each) } as Plan);
  };
  const bareStep = (step: Step): object => {
    if (step.kind !== 'temporary-rename') return { ...step };
    const { why: _why, finalName: _finalName, ...rest } = step;
    return rest;
  };
  return inTurns(isQuick ? 5 : 15, [write(bareStep), write((step) => ({ ...step }))]);
}

/** The checker is given the plan as it is read from a file. */
function inProcess(files: Readonly<Record<string, string>>, hosts: number): readonly [number, number] {
  const list = listOf(hosts);
  const text = printPlan(planOf(readFiles(files), readList(list)));
  const planner: number[] = [];
  const checker: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const desired = readFiles(files);
    const observed = readList(list);
    planner.push(timeOf(() => planOf(desired, observed)));
    const plan = readPlan(text, 'plan.json');
    if (!plan.ok) throw new Error(plan.problems[0]?.message);
    checker.push(
      timeOf(() => {
        if (flawsOf(plan.value).length > 0) throw new Error('the plan has a flaw');
      }),
    );
  }
  return [median(planner), median(checker)];
}

async function wholeProcesses(files: Readonly<Record<string, string>>, hosts: number) {
  const folder = await mkdtemp(join(tmpdir(), 'rampart-bench-'));
  const server = await startListServer(hosts);
  try {
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    const cli = join(folder, 'cli');
    await buildCli(cli);
    const env = { ...server.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
    const rampart = (...argv: readonly string[]) => ({
      file: process.execPath,
      cwd: folder,
      env,
      argv: [join(cli, 'main.cjs'), ...argv],
    });
    const commands = [rampart('plan', '--summary', '--out', 'plan.json'), rampart('verify', 'plan.json')];
    await processesInTurns(1, commands);
    const [plan, verify] = await processesInTurns(Math.min(rounds, 5), commands);
    if (plan === undefined || verify === undefined) throw new Error('nothing was run');
    return [plan.ms, verify.ms] as const;
  } finally {
    server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
