/** Renames every host of the service once, in one of two ways, and prints what that took. */
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { makePlan } from '../../src/core/plan/make-plan.ts';
import { toEventDocument } from '../../src/output/review/event-document.ts';
import { applyPlan } from '../../src/run/apply/apply-plan.ts';
import { underLease } from '../../src/run/apply/under-lease.ts';
import { describeProcess } from '../../src/run/state/lease/this-process.ts';
import { openState } from '../../src/run/state/open-state.ts';
import { createAdaptivePacer } from '../../src/service/client/adaptive-pacer.ts';
import { createClient } from '../../src/service/client/create-client.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { createUndiciExchange } from '../../src/service/client/undici-exchange.ts';
import type { Exchange } from '../../src/service/contract/message.ts';
import { createFleetReader } from '../../src/service/wire/create-fleet-reader.ts';
import { createFleetWriter } from '../../src/service/wire/create-fleet-writer.ts';
import { desiredAt, idOf, nameOf, observedAt } from './renames.ts';
import { jobVariable, meter, type SendJob, type Sent } from './sent.ts';

const job = JSON.parse(process.env[jobVariable] ?? '') as SendJob;
console.log(JSON.stringify(await (job.way === 'bare' ? sendBare(job) : sendByRampart(job))));

/** The simplest possible program: parallel loops over one pool, which check only the status. */
async function sendBare({ url, companyId, psk, size, atOnce, generation }: SendJob): Promise<Sent> {
  const pool = new Pool(url, { connections: atOnce });
  const headers = {
    accept: 'application/JSON',
    'content-type': 'application/JSON; charset=utf-8',
    authorization: `Basic ${Buffer.from(`${companyId}:${psk}`).toString('base64')}`,
  };
  const { ended, read } = meter(size);
  let next = 0;
  const loop = async () => {
    for (let index = next++; index < size; index = next++) {
      const body = JSON.stringify({ newDescription: nameOf(index, generation) });
      const path = `/public-api/v1/hosts/${idOf(index)}/description`;
      const answer = await pool.request({ method: 'PUT', path, headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`the service answers ${answer.statusCode}`);
      ended();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  await pool.close();
  return read(atOnce);
}

/** A whole apply: pacer, journal on disk, events as lines. What verifies it afterwards is not counted. */
async function sendByRampart({ url, companyId, psk, size, generation, stateUrl }: SendJob): Promise<Sent> {
  const clock = systemClock;
  const account = { companyId, service: url };
  const observed = observedAt(size, generation - 1);
  const now = new Date().toISOString();
  const plan = makePlan({ desired: desiredAt(size, generation), observed, account, now });
  const http = createUndiciExchange({ baseUrl: url });
  if (!http.ok) throw new Error('the address was refused');
  const { exchange, atOnce } = counted(http.value.exchange);
  const client = createClient({
    exchange,
    credentials: { kind: 'basic', companyId, psk },
    clock,
    pacers: () => createAdaptivePacer({ clock }),
  });
  const stateDir = mkdtempSync(join(tmpdir(), 'rampart-loopback-'));
  const state = await openState({ stateDir, url: stateUrl });
  if (!state.ok) throw new Error('there is no state');
  const lease = await state.value.acquire(account, { clock, timeoutMs: 0, holder: describeProcess(now) });
  if (!lease.ok) throw new Error(lease.problems[0]?.message);
  const head = { clock, account, planChecksum: '', steps: size, fleetSize: size };
  const journal = await state.value.startRun(lease.value, head);
  if (!journal.ok) throw new Error(journal.problems[0]?.message);
  const events = openSync(devNull, 'w');
  const { ended, read } = meter(size);
  const run = await applyPlan({
    plan,
    observed,
    reader: createFleetReader(client, { clock }),
    writer: underLease(createFleetWriter(client), lease.value),
    journal: journal.value,
    clock,
    stop: new AbortController().signal,
    onEvent: (event) => {
      const document = toEventDocument(event);
      if (document !== undefined) writeSync(events, `${JSON.stringify(document)}\n`);
      if (event.type === 'step_end') ended();
    },
  });
  await journal.value.end(0);
  await lease.value.release();
  await state.value.close();
  await http.value.close();
  rmSync(stateDir, { recursive: true });
  if (run.converged !== true) throw new Error('the run did not converge');
  return read(atOnce());
}

/** The same exchange, and the average number of requests in flight at each new one. */
function counted(exchange: Exchange): { readonly exchange: Exchange; readonly atOnce: () => number } {
  let underWay = 0;
  let seen = 0;
  let sent = 0;
  return {
    exchange: async (request, options) => {
      underWay += 1;
      seen += underWay;
      sent += 1;
      try {
        return await exchange(request, options);
      } finally {
        underWay -= 1;
      }
    },
    atOnce: () => seen / sent,
  };
}
