import type { Clock } from '../../core/lib/surroundings.ts';
import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';
import type { HarvestEvent, HarvestState } from './harvest-event.ts';
import type { ReportSize } from './report-size.ts';

const usualIntervalMs = 60_000;

/** Counts what a harvest of one inventory has done, and estimates its end. */
export class HarvestTally {
  readonly refused: HostId[] = [];
  left: number;
  absent = 0;
  reports = 0;
  readonly #of: number;
  readonly #kind: InventoryKind;
  readonly #clock: Clock;
  #firstReportAt = 0;

  constructor(kind: InventoryKind, of: number, clock: Clock) {
    this.#kind = kind;
    this.#of = of;
    this.#clock = clock;
    this.left = of;
  }

  reportMade(): void {
    if (this.reports === 0) this.#firstReportAt = this.#clock.now();
    this.reports += 1;
  }

  state(size: ReportSize): HarvestState {
    const { left, absent, reports } = this;
    return {
      kind: this.#kind,
      of: this.#of,
      fetched: Math.max(0, this.#of - left - absent - this.refused.length),
      absent,
      left,
      reports,
      etaMs: this.#etaMs(size),
    };
  }

  ended(size: ReportSize): HarvestEvent {
    return { type: 'ended', ...this.state(size) };
  }

  #etaMs({ capacity, ask }: ReportSize): number | null {
    if (this.left === 0) return 0;
    if (this.reports === 0 && capacity === null) return null;
    const intervalMs =
      this.reports < 2 ? usualIntervalMs : (this.#clock.now() - this.#firstReportAt) / (this.reports - 1);
    return Math.ceil(this.left / ask) * intervalMs;
  }
}
