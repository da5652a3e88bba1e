import type { FaultRule } from '../../src/service/emulator/fault.ts';

/** What the service of one measurement is like. */
export interface ServiceJob {
  readonly size: number;
  readonly largeIds: boolean;
  readonly latencyMs: number;
  /** What goes wrong beside. */
  readonly failing?: FaultRule;
  /** After so many writes it tells its parent. */
  readonly reportAt?: number;
}

/** What the service says of its life so far. */
export interface Account {
  readonly calls: number;
  /** Writes that were not carried out. */
  readonly refused: number;
  /** Hosts that are wrong hosts. */
  readonly wrong: number;
}

export interface Address {
  readonly url: string;
  readonly companyId: string;
  readonly psk: string;
}
