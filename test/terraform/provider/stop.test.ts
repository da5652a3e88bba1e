import { expect, test } from 'vitest';
import { unknownNotNull } from '../../../src/terraform/protocol/value/value.ts';
import { hostSchema } from '../../../src/terraform/provider/host/schema.ts';
import { type Dripping, serveDripping } from '../../given/dripping-service.ts';
import { emptyOf, rampartCore } from './given/rampart-core.ts';

const stored = {
  ...emptyOf(hostSchema),
  id: '1',
  host_id: '1',
  name: 'A',
  online: true,
  on_destroy: 'forget',
  status: 'settled',
};

test('Terraform stops an apply with an endless response within seconds, and sends no other write', {
  timeout: 40_000,
}, async () => {
  const dripping: Dripping = { isDripping: (method) => method !== 'GET', drips: 0 };
  const core = await rampartCore({ hosts: [{ id: '1', name: 'A' }] }, {}, (emulator) =>
    serveDripping(emulator, dripping),
  );
  const applying = core.call('ApplyResourceChange', {
    typeName: 'rampart_host',
    priorState: core.valueOf('rampart_host', stored),
    plannedState: core.valueOf('rampart_host', {
      ...stored,
      name: 'B',
      status: unknownNotNull,
    }),
    config: core.valueOf('rampart_host', { ...emptyOf(hostSchema), host_id: '1', name: 'B' }),
    plannedPrivate: new TextEncoder().encode('{}'),
  });
  await expect.poll(() => dripping.drips, { timeout: 15_000 }).toBeGreaterThan(0);
  const stoppedAt = Date.now();
  expect(await core.call('StopProvider')).toEqual({ error: '' });
  const { diagnostics } = await applying;
  expect(Date.now() - stoppedAt).toBeLessThan(12_000);
  expect(diagnostics.length).toBeGreaterThan(0);
  expect(dripping.drips).toBe(1);
});
