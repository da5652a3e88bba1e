import type { Pace } from '../../core/plan/types/forecast.ts';
import type { ClientEvent } from '../../service/client/client-event.ts';
import type { Pacer } from '../../service/client/pacer.ts';

/** Measures the service's pace during a run, for the forecasts of the next plan. */
export interface PaceMeter {
  watch(renames: Pacer): void;
  hear(event: ClientEvent): void;
  pace(): Pace | null;
}

/** Fewer renames say nothing about the rate, because the pacer has not reached it yet. */
const enough = 100;

export function createPaceMeter(): PaceMeter {
  let renames: Pacer | undefined;
  let calls = 0;
  let totalMs = 0;
  return {
    watch(pacer) {
      renames = pacer;
    },
    hear(event) {
      if (event.type !== 'call' || event.action !== 'renameHost' || event.status === null) return;
      calls += 1;
      totalMs += event.ms;
    },
    pace() {
      const rate = renames?.rate ?? null;
      if (rate === null || rate <= 0 || calls < enough) return null;
      return {
        rate: Math.round(rate * 100) / 100,
        latency: Math.max(0.001, Math.round(totalMs / calls) / 1000),
      };
    },
  };
}
