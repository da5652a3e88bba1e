import { figure } from './numbers.ts';
import type { Tile } from './plan-totals.ts';

/** The totals at a glance. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl class="tiles">
      {tiles.map(({ title, value, tone = '', note }) => (
        <div key={title} class={`tile ${value === 0 ? 'zero' : tone}`}>
          <dt>{title}</dt>
          <dd class="value">{typeof value === 'number' ? figure(value) : value}</dd>
          {note === undefined || value === 0 ? null : <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
