import type { ComponentChildren } from 'preact';
import type { ShownHost } from '../review/planned-hosts.ts';
import { needsAttention } from '../review/reviewed-host.ts';
import { type HostSurroundings, reviewedHostColumns } from './host-columns.tsx';
import { counted } from './numbers.ts';
import { Fold, Section } from './section.tsx';
import { Table } from './table.tsx';

interface HostSectionProps {
  readonly hosts: readonly ShownHost[];
  /** How many there are; more than in `hosts` if the list has a maximum length. */
  readonly all: number;
  readonly around: HostSurroundings;
  /** Shown below a list that is not complete. */
  readonly rest?: ComponentChildren;
}

/** A reviewer can check this many rows. Of longer lists, the others are folded. */
const mostUnfolded = 25;

/** What no undo reverts, or that there is nothing like that. */
export function Irreversible(props: HostSectionProps) {
  if (props.all === 0)
    return (
      <p class="all-reversible">
        <span class="glyph green" aria-hidden="true">
          ↺
        </span>{' '}
        Nothing is deleted or installed: undo can bring back every name and group.
      </p>
    );
  return (
    <HostSection
      {...props}
      id="irreversible"
      title="Can't be undone"
      label="Changes that can't be undone"
      class="irreversible"
    />
  );
}

/** Changes that may be mistakes, with what is unusual about each. */
export function Unusual(props: HostSectionProps) {
  if (props.all === 0) return null;
  return <HostSection {...props} id="check" title="Check" label="Unusual changes" class="unusual" />;
}

function HostSection({
  hosts,
  all,
  around,
  rest,
  id,
  title,
  label,
  class: className,
}: HostSectionProps & {
  readonly id: string;
  readonly title: string;
  readonly label: string;
  readonly class: string;
}) {
  const first = hosts.length <= mostUnfolded ? hosts : hosts.filter(needsAttention).slice(0, mostUnfolded);
  const others = hosts.filter((host) => !first.includes(host));
  const table = (rows: readonly ShownHost[], name: string) => (
    <Table
      label={name}
      rows={rows}
      keyOf={({ host_id }) => host_id}
      class="plan-hosts"
      columns={reviewedHostColumns(around)}
    />
  );
  return (
    <Section id={id} title={title} count={counted(all, 'host')} class={className}>
      {first.length === 0 ? null : table(first, label)}
      {others.length === 0 ? null : (
        <Fold
          title={`Show ${counted(others.length, first.length === 0 ? 'host' : 'more host')}`}
          isOpen={false}
        >
          {table(others, first.length === 0 ? label : `Other ${label.toLowerCase()}`)}
        </Fold>
      )}
      {all > hosts.length ? <p class="more">{rest}</p> : null}
    </Section>
  );
}
