import { useRoute } from 'preact-iso/router';
import type { HostDetail } from '../../../api/hosts.ts';
import { figure } from '../../../output/components/numbers.ts';
import { withoutPlace } from '../../../output/components/places.ts';
import { FactList, Section } from '../../../output/components/section.tsx';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { IdText, Name, NameLink, PlaceText, Text } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { useResource } from '../../data/resource.ts';
import { StateMark } from '../../parts/mark.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { TimeLine } from '../../parts/time-line.tsx';
import { causeMarks } from '../../words/cause.ts';
import { attributeText, factName, factText } from '../../words/facts.ts';
import { differsMark, healthMarks } from '../../words/health.ts';
import { hostLabel } from '../../words/host-label.ts';
import { outcomeMark } from '../../words/state-marks.ts';
import './host.css';

/** One host: what it is, what sets each of its attributes, and what happened to it. */
export function Host() {
  const { params } = useRoute();
  const account = params['name'] ?? '';
  const id = params['id'] ?? '';
  const host = useResource<HostDetail>(pathOf`/accounts/${account}/hosts/${id}`, {
    when: (event) => event.account === account && event.type === 'account.changed',
  });
  const name = hostLabel(host.value ?? { name: id, host_id: id });
  return (
    <Page
      title={name}
      heading={<Name name={name} />}
      above={
        <>
          <a href={consoleAddress.hosts()}>Hosts</a> in{' '}
          <NameLink href={consoleAddress.account(account)} name={account} />
        </>
      }
      below={host.value === null ? null : <Below host={host.value} />}
      class="host"
    >
      <Loaded of={host} tried="Reading the host" lines={10}>
        {(body) => (
          <>
            <Explain host={body} />
            <div class="host-columns">
              <HostHistoryRows host={body} />
              <Section title="Facts">
                {Object.keys(body.facts).length === 0 ? (
                  <EmptyState title="No facts known">
                    <p>Facts appear after a check that reads the inventory of this host.</p>
                  </EmptyState>
                ) : (
                  <div class="card">
                    <FactList
                      facts={Object.entries(body.facts).map(
                        ([fact, value]) => [attributeText(factName(fact)), factText(fact, value)] as const,
                      )}
                    />
                  </div>
                )}
              </Section>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Below({ host }: { readonly host: HostDetail }) {
  return (
    <ul class="dotted">
      <li>
        id <IdText id={host.host_id} />
      </li>
      <li>
        {host.group === null ? (
          'no group'
        ) : (
          <>
            group <Name name={host.group} />
          </>
        )}
      </li>
      {host.state === null ? null : <li>{host.state}</li>}
      <li>
        read <Time at={host.seen_at} />
      </li>
      <li>
        <StateMark
          mark={host.drifted ? differsMark : { ...healthMarks.converged, word: 'as desired' }}
          isQuiet
        />
      </li>
    </ul>
  );
}

interface Decision {
  readonly explain: HostDetail['explain'][number];
  /** The difference between the file and the fleet, if there is one. */
  readonly drift: HostDetail['drift'][number] | undefined;
  /** What the fleet has; undefined if the host's record does not show it. */
  readonly value: string | null | undefined;
}

const columns: readonly TableColumn<Decision>[] = [
  {
    key: 'attribute',
    title: 'Attribute',
    isHead: true,
    isPlain: true,
    cell: ({ explain }) => attributeText(explain.attribute),
  },
  {
    key: 'value',
    title: 'The file says',
    cell: ({ explain }) =>
      explain.value === null ? <span class="dim">nothing</span> : <Name name={explain.value} />,
  },
  {
    key: 'live',
    title: 'The fleet has',
    cell: ({ explain, drift, value }) =>
      drift !== undefined ? (
        <span class="beside">
          <StateMark mark={causeMarks[drift.changed === 'file' ? 'file' : 'fleet']} isQuiet />
          <Name name={drift.live} />
        </span>
      ) : explain.value === null ? (
        <Unmanaged value={value} />
      ) : (
        <span class="dim">the same</span>
      ),
  },
  {
    key: 'by',
    title: 'Set by',
    cell: ({ explain }) => (
      <div>
        <Text text={withoutPlace(explain.decided_by, explain.place)} />
        {explain.overruled?.map(({ decided_by: loser, place }) => (
          <p key={`${loser} ${place.file} ${place.line}`} class="fine">
            not by <Text text={withoutPlace(loser, place)} />, <PlaceText place={place} />
          </p>
        ))}
      </div>
    ),
  },
  {
    key: 'place',
    title: 'Where',
    cell: ({ explain }) => (explain.place === undefined ? '–' : <PlaceText place={explain.place} />),
  },
];

function Unmanaged({ value }: { readonly value: string | null | undefined }) {
  if (value === undefined) return '–';
  return value === null ? <span class="dim">nothing</span> : <Name name={value} />;
}

/** Which rule or entry decides each attribute, next to the fleet's value. */
function Explain({ host }: { readonly host: HostDetail }) {
  const drift = new Map(host.drift.map((row) => [row.attribute as string, row]));
  const antivirus = host.facts['antivirus'];
  const values = new Map<string, string | null>([
    ['name', host.name],
    ['group', host.group],
    ...(typeof antivirus === 'string' ? [['antivirus', antivirus] as const] : []),
  ]);
  return (
    <Section title="What sets each attribute">
      {host.explain.length === 0 ? (
        <EmptyState title="This host is unmanaged">
          <p>No entry or rule of the desired state refers to it. Rampart leaves it as it is.</p>
        </EmptyState>
      ) : (
        <Table
          label="What sets each attribute"
          columns={columns}
          rows={host.explain.map((explain) => ({
            explain,
            drift: drift.get(explain.attribute),
            value: values.get(explain.attribute),
          }))}
          keyOf={({ explain }) => explain.attribute}
        />
      )}
      {host.explain_problem === undefined ? null : (
        <p class="dim">
          No explanation for attributes that match: <Text text={host.explain_problem} />.
        </p>
      )}
    </Section>
  );
}

/** The effects of runs on a host, the newest first, each with a link to its change. */
function HostHistoryRows({ host: { history, plan, searched } }: { readonly host: HostDetail }) {
  const events = history.toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <Section title="History">
      {plan === null ? null : (
        <p>
          <a class="underlined" href={consoleAddress.change(plan)}>
            An open change
          </a>{' '}
          concerns this host.
        </p>
      )}
      {events.length === 0 ? (
        <EmptyState
          title={
            searched.is_complete
              ? 'No run has changed this host'
              : `None of the last ${figure(searched.runs)} runs has changed this host`
          }
        >
          <p>Every change that a run makes appears here, with who approved it.</p>
        </EmptyState>
      ) : (
        <TimeLine
          happenings={events.map(({ at, run, text, outcome, by }) => ({
            key: `${at} ${run} ${text}`,
            at,
            text: (
              <a class="row-link" href={consoleAddress.run(run)}>
                <Text text={text} />
              </a>
            ),
            mark: outcomeMark(outcome),
            by,
          }))}
        />
      )}
      {searched.is_complete || events.length === 0 ? null : (
        <p class="dim">These are changes of the last {figure(searched.runs)} runs of its account.</p>
      )}
    </Section>
  );
}
