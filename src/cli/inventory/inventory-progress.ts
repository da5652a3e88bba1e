import { count } from '../../core/lib/words.ts';
import type { InventoryKind } from '../../core/model/facts.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import type { HarvestEvent, HarvestState } from '../../service/inventory/harvest-event.ts';
import type { Context } from '../shell/context.ts';

/** The progress of a harvest: one line that is overwritten on a terminal, plain lines elsewhere. */
export interface InventoryProgress {
  event(event: HarvestEvent): void;
  end(): void;
}

export function createInventoryProgress({ settings, log, live }: Context): InventoryProgress {
  const states = new Map<InventoryKind, HarvestState>();
  const hide = settings.quiet ? () => {} : live.show(() => [...states.values()].map(stateWords).join('; '));
  return {
    event(event) {
      if (settings.quiet) return;
      if ('of' in event) states.set(event.kind, event);
      const line = lineFor(event, states.get(event.kind), live.isLive);
      if (line !== undefined) log(line);
      live.redraw();
    },
    end: hide,
  };
}

/** The line for an event that is important enough. */
function lineFor(event: HarvestEvent, state: HarvestState | undefined, isLive: boolean): string | undefined {
  switch (event.type) {
    case 'started':
      return `${event.kind}: ${count(event.of, 'host')} to fetch${event.fresh === 0 ? '' : `, ${event.fresh} up to date`}`;
    case 'resumed':
      return `${event.kind}: reading the report that an interrupted pull left for ${count(event.hosts, 'host')}`;
    case 'learned':
      return event.hostsPerReport === null
        ? `${event.kind}: one report covers any number of hosts`
        : `${event.kind}: one report covers ${event.hostsPerReport} hosts`;
    case 'refused':
      return `${event.kind}: the service can't create a report with host ${event.hostId}`;
    case 'waiting':
      if (event.reason === 'other-report') {
        return `${event.kind}: another process is reading a report; next try in ${durationWords(event.ms)}`;
      }
      return isLive || state === undefined ? undefined : stateWords(state);
    case 'ended':
      return isLive ? undefined : stateWords(event);
    case 'report':
    case 'page':
      return undefined;
  }
}

function stateWords({ kind, of, left, absent, etaMs }: HarvestState): string {
  const eta = left === 0 || etaMs === null ? '' : `, about ${durationWords(etaMs)} left`;
  return `${kind}: ${of - left} of ${of}${absent === 0 ? '' : ` (${absent} without inventory)`}${eta}`;
}
