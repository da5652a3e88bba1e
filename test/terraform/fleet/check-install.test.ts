import { describe, expect, it } from 'vitest';
import type { AntivirusFact, UnreadableHost } from '../../../src/core/model/observed.ts';
import { checkInstall } from '../../../src/terraform/fleet/check-install.ts';
import { at, hostId } from '../../given/fleet.ts';

const list = (fact: AntivirusFact | undefined, unreadable: readonly UnreadableHost[] = []) => ({
  read: { list: 'antivirus-details', at } as const,
  facts: new Map(fact === undefined ? [] : [[hostId(1), fact]]),
  unreadable,
});
const codeOf = (given: ReturnType<typeof list>) => {
  const checked = checkInstall(hostId(1), given);
  return typeof checked === 'string' || checked.ok ? checked : checked.problems.map(({ code }) => code);
};

describe('an install', () => {
  it('is needed on a host that supports it and does not have it', () => {
    expect(codeOf(list({ installed: false, supported: true }))).toBe('needed');
    expect(codeOf(list({ installed: true, supported: true }))).toMatchObject({
      ok: true,
      value: 'installed',
    });
    expect(codeOf(list({ installed: false, supported: false }))).toEqual(['antivirus-unsupported']);
    expect(codeOf(list(undefined))).toEqual(['antivirus-unsupported']);
  });

  it.each([[{ id: hostId(1) }], [{}]])(
    "is refused if the entry of the host, or one without an id, can't be read: %j",
    (known) => {
      const unreadable = [{ position: 3, why: 'it is null', ...known }];
      expect(codeOf(list(undefined, unreadable))).toEqual(['unreadable-host']);
      expect(codeOf(list({ installed: false, supported: true }, unreadable))).toBe('needed');
    },
  );

  it("is decided as before if the entry of another host can't be read", () => {
    const unreadable = [{ position: 3, why: 'it is null', id: hostId(2) }];
    expect(codeOf(list(undefined, unreadable))).toEqual(['antivirus-unsupported']);
  });
});
