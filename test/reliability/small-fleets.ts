import type { Switches } from '../../src/service/emulator/switches.ts';
import type { Reorganization } from '../given/arbitrary-fleet.ts';

/** A fleet small enough to try everything that can happen to it. */
export interface SmallFleet extends Reorganization {
  readonly title: string;
  readonly switches?: Partial<Switches>;
  /** Hosts in one batch at most. */
  readonly batchSize?: number;
}

const installsTakeAnHour = { installTakesMs: 3_600_000 };

const swapChainAndMoves: SmallFleet = {
  title: 'a swap, a chain, moves into two groups',
  hosts: [
    { id: 1, name: 'A', group: 10 },
    { id: 2, name: 'B' },
    { id: 3, name: 'C' },
    { id: 4, name: 'D', group: 11 },
    { id: 5, name: 'E', group: 11 },
    { id: 6, name: 'bystander', group: 11 },
  ],
  entries: [
    { id: 1, name: 'B', group: 'Munich' },
    { id: 2, name: 'A' },
    { id: 3, name: 'D' },
    { id: 4, name: 'X', group: 'Berlin' },
    { id: 5, group: null },
  ],
};

export const cycleAndOwnerToDelete: SmallFleet = {
  title: 'a three-cycle, a doomed holder of a wanted name, two batches of deletions',
  batchSize: 1,
  hosts: [
    { id: 1, name: 'A' },
    { id: 2, name: 'B' },
    { id: '9223372036854775807', name: 'C' },
    { id: 4, name: 'D' },
    { id: 5, name: 'E', group: 10, online: false },
    { id: '9007199254740993', name: 'F', online: false },
    { id: 7, name: 'bystander' },
  ],
  entries: [
    { id: 1, name: 'B' },
    { id: 2, name: 'C' },
    { id: '9223372036854775807', name: 'A' },
    { id: 4, name: 'E' },
    { id: 5, ensure: 'absent' },
    { id: '9007199254740993', ensure: 'absent' },
  ],
};

export const installsAndLetterCase: SmallFleet = {
  title: 'installs, a case-only rename that is refused, entries without ids',
  switches: { ...installsTakeAnHour, caseOnlyRename: 'conflicts' },
  hosts: [
    { id: 1, name: 'reception', antivirus: 'missing' },
    { id: 2, name: 'kiosk', antivirus: 'missing' },
    { id: 3, name: 'till', antivirus: 'installed' },
    { id: 4, name: 'bystander', antivirus: 'missing' },
  ],
  entries: [
    { id: 1, name: 'Reception', antivirus: true },
    { name: 'Kiosk', previously: ['kiosk'], antivirus: true, group: 'Berlin' },
    { id: 3, antivirus: true },
  ],
};

export const everything: SmallFleet = {
  title: 'everything at once',
  switches: installsTakeAnHour,
  hosts: [
    { id: 1, name: 'A', group: 10 },
    { id: 2, name: 'B' },
    { id: 3, name: 'C' },
    { id: 4, name: 'D' },
    { id: 5, name: 'E', antivirus: 'missing' },
    { id: 6, name: 'F' },
    { id: '9223372036854775807', name: 'G' },
    { id: 8, name: 'bystander' },
    { id: 9, name: 'leaver', online: false },
  ],
  entries: [
    { id: 1, name: 'B', group: 'Munich' },
    { id: 2, name: 'C' },
    { id: 3, name: 'A' },
    { id: 4, name: 'F', group: null },
    { id: 5, name: 'e', antivirus: true },
    { id: 6, ensure: 'absent' },
    { id: '9223372036854775807', name: 'D', group: 'Berlin', antivirus: true },
    { id: 9, ensure: 'absent' },
  ],
};

export const smallFleets: readonly SmallFleet[] = [
  swapChainAndMoves,
  cycleAndOwnerToDelete,
  installsAndLetterCase,
  everything,
];
