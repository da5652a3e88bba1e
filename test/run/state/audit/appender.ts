import { openState } from '../../../../src/run/state/open-state.ts';
import { systemClock } from '../../../../src/service/client/system-clock.ts';

/** Appends records one by one, as fast as it can, once its parent has heard of all appenders. */
const [stateDir = '', count = '1', name = 'a', url] = process.argv.slice(2);
const state = await openState({ stateDir, ...(url === undefined ? {} : { url }) });
if (!state.ok) throw new Error(state.problems[0]?.message);

process.stdout.write('ready');
for await (const _ of process.stdin);

const impatient = { now: systemClock.now, sleep: () => systemClock.sleep(1) };
for (let index = 1; index <= Number(count); index += 1) {
  const entry = { kind: 'unlock', origin: { actor: name, host: 'vm' }, what: { index } } as const;
  const appended = await state.value.audit.append(impatient, [entry]);
  if (!appended.ok) throw new Error(appended.problems[0]?.message);
}
await state.value.close();
