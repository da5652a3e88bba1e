import { planFleet } from '../../../../src/terraform/fleet/plan-fleet.ts';
import { methodsOf } from '../../../../src/terraform/protocol/plugin/plugin-methods.ts';
import { keepSmall } from '../../../../src/terraform/protocol/plugin/short-process.ts';
import { Session } from '../../../../src/terraform/protocol/service/session.ts';
import { fleetWorld, numbered } from '../../fleet/fleet-world.ts';
import { isOptimizing } from './is-optimizing.ts';
import { shelfProvider } from './shelf-provider.ts';

async function answerCalls(count: number): Promise<void> {
  const method = methodsOf(new Session(shelfProvider()), () => undefined).get(
    '/tfplugin6.Provider/GetMetadata',
  );
  if (method?.kind !== 'unary') throw new Error('not a unary method');
  for (let each = 0; each < count; each += 1) {
    await method.handle(new Uint8Array(), new AbortController().signal);
  }
}

async function planHosts(count: number): Promise<void> {
  const planned = await planFleet(
    { text: 'version: 1\nhosts: [{ id: 1 }]\n' },
    fleetWorld({ hosts: numbered(count) }),
  );
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
}

/** Prints whether V8 fully optimizes at first, in a small process, and after each piece of work. */
const works: Readonly<Record<string, readonly (() => Promise<unknown>)[]>> = {
  calls: [() => answerCalls(9_999), () => answerCalls(1)],
  fleets: [() => planHosts(4_999), () => planHosts(5_000)],
};
const seen = [isOptimizing()];
keepSmall();
seen.push(isOptimizing());
for (const work of works[process.argv[2] ?? ''] ?? []) {
  await work();
  seen.push(isOptimizing());
}
console.log(JSON.stringify(seen));
