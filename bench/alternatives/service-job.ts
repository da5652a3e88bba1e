import type { FaultRule } from '../../src/service/emulator/fault.ts';

/** What the service of one measurement is like. */
export interface ServiceJob {
  readonly size: number;
  readonly largeIds: boolean;
  readonly latencyMs: number;
  /** Other faults during the job. */
  readonly failing?: FaultRule;
  /** Notifies its parent after this many writes. */
  readonly reportAt?: number;
}

/** The record of the service so far. */
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
