import { describe, expect, it } from 'vitest';
import { checkout } from '../given/action-step.ts';
import { givenService } from '../given/command-line.ts';

/** The reports of a workflow's steps about an install, one after another. */
async function steps(effect?: { readonly kind: 'status'; readonly status: number }) {
  const place = await checkout();
  await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, antivirus: installed }]\n');
  const { env } = await givenService(
    { hosts: [{ id: '1', name: 'one', online: false, antivirus: { installed: false, supported: true } }] },
    {
      switches: { installTakesMs: 3_600_000 },
      faults: effect === undefined ? [] : [{ action: 'installAntivirus', nth: 1, effect }],
    },
  );
  const { outputs } = await place.step({ env });
  expect(outputs).toMatchObject({ installs: '1', 'installs-in-progress': '0', 'installs-in-doubt': '0' });
  const apply = { mode: 'apply', checksum: outputs['checksum'] ?? '' };
  return {
    applied: await place.step({ env, inputs: apply }),
    planned: await place.step({ env }),
    drifted: await place.step({ env, inputs: { mode: 'drift' } }),
  };
}

describe('an install that no read shows', () => {
  it('is in progress if the service accepted it: no step is red, and none says that the fleet is as planned', async () => {
    const { applied, planned, drifted } = await steps();
    expect(applied.summary).toContain('Every step is done. 1 install in progress, which no read shows yet.');
    expect(applied.summary).not.toContain('Done: the fleet matches the plan.');
    const pending = { 'installs-in-progress': '1', 'installs-in-doubt': '0', 'exit-code': '0' };
    expect(applied).toMatchObject({ code: 0, outputs: pending });
    expect(planned).toMatchObject({ code: 0, outputs: { ...pending, changes: '0' } });
    expect(drifted).toMatchObject({ code: 0, outputs: { ...pending, changes: '0' } });
  });

  it('is in doubt if it was not acknowledged: the apply fails, and later steps count it', async () => {
    const { applied, planned, drifted } = await steps({ kind: 'status', status: 500 });
    expect(applied.summary).toContain('Incomplete: 1 install in doubt, which may have been requested.');
    const pending = { 'installs-in-progress': '0', 'installs-in-doubt': '1' };
    expect(applied).toMatchObject({ code: 5, outputs: { ...pending, 'exit-code': '5' } });
    expect(planned).toMatchObject({ outputs: { ...pending, 'exit-code': '2' } });
    expect(planned.summary).toContain('1 install in doubt');
    expect(drifted).toMatchObject({ outputs: { ...pending, 'exit-code': '2' } });
    expect(drifted.annotations.some(({ message }) => message.includes('may have been requested'))).toBe(true);
  });
});
