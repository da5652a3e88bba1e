import { describe, expect, it } from 'vitest';
import { openState } from '../../../src/run/state/open-state.ts';

const placeOf = async (options: Parameters<typeof openState>[0]) => {
  const opened = await openState(options);
  if (!opened.ok) throw new Error('not opened');
  await opened.value.close();
  return opened.value.place;
};

describe('the state', () => {
  it('is the folder, with the name that the user gave', async () => {
    expect(await placeOf({ stateDir: '/srv/state' })).toBe('the folder /srv/state');
    expect(await placeOf({ stateDir: '/srv/state', shown: 'state' })).toBe('the folder state');
  });
  it('is the database if there is an address, and its name holds nothing secret', async () => {
    expect(await placeOf({ stateDir: '/srv/state', url: 'postgresql://ada:s3cret@db:6543/fleet' })).toBe(
      'the database fleet on db:6543',
    );
  });
});
