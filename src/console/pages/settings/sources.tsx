import type { SourceRow } from '../../../api/settings.ts';
import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { Name } from '../../../output/components/text.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Since, Time } from '../../parts/time.tsx';
import { Version } from '../../parts/version.tsx';

/** Where the desired state comes from. Sources with a problem are first. */
export function SourcesSection({ sources }: { readonly sources: readonly SourceRow[] }) {
  if (sources.length === 0)
    return (
      <EmptyState title="No sources">
        The server reads desired-state files beside its configuration. Add folders and Git repositories under{' '}
        <code>server.sources</code>.
      </EmptyState>
    );
  const sorted = sources.toSorted((a, b) => Number(b.problem !== null) - Number(a.problem !== null));
  return (
    <Section title="Sources" count={figure(sources.length)}>
      <Table
        label="Sources"
        rows={sorted}
        keyOf={({ name }) => name}
        columns={[
          {
            key: 'name',
            title: 'Source',
            isHead: true,
            isPlain: true,
            cell: ({ name }) => <Name name={name} />,
          },
          { key: 'state', title: 'State', cell: (source) => <SourceState source={source} /> },
          {
            key: 'location',
            title: 'Location',
            cell: ({ location, ref }) => (
              <div>
                <code class="place">{location}</code>
                {ref === null ? null : <span class="dim"> at {ref}</span>}
              </div>
            ),
          },
          {
            key: 'commit',
            title: 'Version',
            cell: ({ commit }) =>
              commit === null ? <span class="dim">–</span> : <Version commit={commit} />,
          },
          { key: 'fetched', title: 'Read', cell: ({ fetched_at: at }) => <Time at={at} /> },
          {
            key: 'traits',
            title: 'Options',
            cell: ({ has_webhook: hook, allows_scripts: scripts }) =>
              [hook ? 'webhook' : 'by schedule', ...(scripts ? ['scripts allowed'] : [])].join(', '),
          },
        ]}
      />
    </Section>
  );
}

function SourceState({ source: { problem } }: { readonly source: SourceRow }) {
  if (problem === null) return <StateMark mark={{ word: 'current', glyph: '●', tone: 'green' }} />;
  return (
    <div>
      <StateMark mark={{ word: 'failing', glyph: '▲', tone: 'red' }} />
      <span class="source-problem">
        {problem.message} <code class="dim">{problem.code}</code>{' '}
        <span class="dim">
          <Since at={problem.since} />
        </span>
      </span>
    </div>
  );
}
