import type { PlanReview } from '../review/plan-review.ts';
import { dotRadius, type RailLine, railsOf } from '../review/rename-geometry.ts';
import type { NameRow, RenameGraph } from '../review/rename-graph.ts';
import { counted, figure } from './numbers.ts';
import { drawnChain, rowText } from './rename-order.ts';
import { Section } from './section.tsx';
import { Name } from './text.tsx';

const mostDrawn = 24;

/** Renames that wait for one another, each chain and cycle as a drawing with its names. */
export function Chains({ chains, more }: Pick<PlanReview, 'chains'> & { readonly more: number }) {
  if (chains.length === 0) return null;
  const numbers = { Chain: 0, Swap: 0, Cycle: 0 };
  const drawn = chains
    .toSorted((a, b) => b.hosts - a.hosts)
    .slice(0, mostDrawn)
    .map((chain) => {
      const shape = drawnChain(chain);
      numbers[shape.title] += 1;
      return { ...shape, heading: `${shape.title} ${numbers[shape.title]}`, hosts: chain.hosts };
    });
  return (
    <Section
      id="chains"
      title="Order of renames"
      count={figure(chains.length + more)}
      lead="Two hosts can't have the same name, not even for a moment: each rename waits until the name is free. The steps of one drawing happen in the order of their numbers."
    >
      <ul class="cards">
        {drawn.map(({ heading, hosts, graph }) => (
          <li key={heading} class="card">
            <h3>
              {heading} <span class="dim">{counted(hosts, 'host')}</span>
            </h3>
            <Drawing graph={graph} />
          </li>
        ))}
      </ul>
      {chains.length + more > drawn.length ? (
        <p class="more">
          and {figure(chains.length + more - drawn.length)} more: the list of hosts has all of them.
        </p>
      ) : null}
    </Section>
  );
}

/** The list describes the drawing in words. */
function Drawing({ graph }: { readonly graph: RenameGraph }) {
  const { width, height, lines, dots } = railsOf(graph);
  return (
    <div class="drawing">
      <svg
        class="rails"
        aria-hidden="true"
        focusable="false"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
      >
        {lines.map((line) => (
          <Line key={line.path} line={line} />
        ))}
        {dots.map(({ kind, x, y }) => (
          <circle key={`${x} ${y}`} class={`dot ${kind}`} cx={x} cy={y} r={dotRadius} />
        ))}
      </svg>
      <ol>
        {graph.rows.map((row, index) => (
          <Row key={`${index} ${row.name}`} row={row} graph={graph} />
        ))}
        {graph.hidden === 0 ? null : (
          <li class="more">
            and {counted(graph.hidden, 'more rename')}
            {graph.cyclic ? ', back to the first name' : ''}
          </li>
        )}
      </ol>
    </div>
  );
}

function Line({ line: { kind, isTemporary, path } }: { readonly line: RailLine }) {
  return (
    <path class={`${kind === 'tip' ? 'tip' : `rail ${kind}`}${isTemporary ? ' temporary' : ''}`} d={path} />
  );
}

function Row({ row, graph }: { readonly row: NameRow; readonly graph: RenameGraph }) {
  return (
    <li>
      <span class="chain-name">
        {row.again === undefined ? null : <span class="dim">back to </span>}
        <Name name={row.name} />
      </span>{' '}
      <span class="chain-text">{rowText(row, graph)}</span>
    </li>
  );
}
