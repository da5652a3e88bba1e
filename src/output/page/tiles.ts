import { isEmpty } from '../../core/plan/types/plan.ts';
import { durationWords } from '../review/duration-words.ts';
import type { PlanRows } from '../review/rows.ts';
import { type Html, html, nothing } from './markup.ts';
import { counted, figure } from './words.ts';

export interface Tile {
  readonly title: string;
  readonly value: string;
  readonly tone: string;
  readonly note?: string;
}

/** The totals at a glance. */
export function tilesHtml({ plan, renames, moves }: PlanRows): Html {
  const { summary, calls } = plan;
  const joined = renames.filter((each) => each.shape !== 'single').length;
  const sum = (title: string, number: number, tone: string): Tile => ({
    title,
    value: figure(number),
    tone: number === 0 ? 'zero' : tone,
  });
  const tiles = [
    { ...sum('Deletions', summary.delete, 'delete'), note: "can't be undone" },
    { ...sum('Anti-virus installs', summary.antivirus, 'antivirus'), note: "can't be undone" },
    {
      ...sum('Renames', summary.rename, 'rename'),
      ...inChains(joined),
    },
    { ...sum('Temporary renames', summary.temporaryRename, 'temporary-rename'), note: 'to free a name' },
    { ...sum('Moves', summary.move, 'move'), note: `to ${counted(moves.length, 'group')}` },
    {
      ...sum('Calls', calls.planned, 'calls'),
      note: isEmpty(plan) ? 'nothing to send' : `minimum ${figure(calls.minimum)}`,
    },
    time(plan),
    ...some({
      ...sum('Installs in doubt', summary.installsInDoubt, 'quiet'),
      note: 'may have been requested',
    }),
    ...some({
      ...sum('Installs in progress', summary.installsInProgress, 'quiet'),
      note: 'accepted, not shown yet',
    }),
    ...some({ ...sum('Status refreshes', summary.refresh, 'quiet'), note: 'resolve installs in doubt' }),
    sum('Unchanged', summary.unchanged, 'quiet'),
    sum('Awaiting enrollment', summary.awaitingEnrollment, 'quiet'),
    sum('Unmanaged', summary.unmanaged, 'quiet'),
  ];
  return html`<dl class="tiles">
${tiles.map(tileHtml)}</dl>
`;
}

/** Rare counts get a tile only if they are not zero. */
function some(tile: Tile): readonly Tile[] {
  return tile.tone === 'zero' ? [] : [tile];
}

function time(plan: PlanRows['plan']): Tile {
  const { forecast, fast } = plan;
  if (forecast === undefined || isEmpty(plan))
    return { title: 'Time', value: '–', tone: isEmpty(plan) ? 'zero' : 'quiet', note: 'no rate known yet' };
  const { seconds } = fast ? forecast.fast : forecast.fewestCalls;
  return { title: 'Time', value: durationWords(seconds * 1000), tone: 'calls', note: 'forecast' };
}

function inChains(joined: number): { readonly note?: string } {
  return joined === 0 ? {} : { note: `with ${counted(joined, 'chain or cycle', 'chains or cycles')}` };
}

export function tileHtml({ title, value, tone, note }: Tile): Html {
  const small = note === undefined || tone === 'zero' ? nothing : html`<dd class="note">${note}</dd>`;
  return html`<div class="tile ${tone}"><dt>${title}</dt><dd class="value">${value}</dd>${small}</div>
`;
}
