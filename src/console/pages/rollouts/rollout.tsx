import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { RolloutDetail } from '../../../api/runs.ts';
import { Choice, TextField } from '../../../output/components/field.tsx';
import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { IdText, NameLink, Text } from '../../../output/components/text.tsx';
import { consoleAddress, filtersOf, useAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { type PageResource, useResource } from '../../data/resource.ts';
import { Button } from '../../parts/button.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { Page } from '../../parts/page.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { changesText } from '../../words/changes.ts';
import { rolloutMarks } from '../../words/state-marks.ts';
import { accountMark, accountsWorstFirst } from './account-mark.ts';
import { progressText, rolloutActs, rolloutChangesText } from './rollout-words.ts';
import { StartedBy, Waves } from './waves.tsx';
import './rollouts.css';

/** One rollout: its waves, its accounts, and what a person may do to it. */
export function RolloutPage() {
  const { id = '' } = useRoute().params;
  const rollout: PageResource<RolloutDetail> = useResource<RolloutDetail>(pathOf`/rollouts/${id}`, {
    // A reader who does not see all accounts learns only that some rollout changed.
    when: ({ type, resource }) =>
      resource === id || type === 'run.changed' || (type === 'rollout.changed' && resource === null),
  });
  return (
    <Loaded of={rollout} tried="Reading the rollout" lines={12}>
      {(value) => <LoadedRollout key={id} rollout={value} onChange={rollout.reload} />}
    </Loaded>
  );
}

interface LoadedRolloutProps {
  readonly rollout: RolloutDetail;
  readonly onChange: () => void;
}

function LoadedRollout({ rollout, onChange }: LoadedRolloutProps) {
  const [act, setAct] = useState<keyof typeof acts | null>(null);
  return (
    <Page
      title={`Rollout ${rollout.name}`}
      above={<a href={consoleAddress.rollouts()}>Rollouts</a>}
      heading={
        <>
          <Text text={rollout.name} /> <StateMark mark={rolloutMarks[rollout.state]} />
        </>
      }
      below={
        <>
          <p class="verdict">
            {progressText(rollout)} {rolloutChangesText(rollout)}
          </p>
          <ul class="dotted dim">
            <li>
              <StartedBy of={rollout} />
            </li>
            {rollout.ended_at === null ? null : (
              <li>
                ended <Time at={rollout.ended_at} />
              </li>
            )}
            <li>
              <IdText id={rollout.id} />
            </li>
          </ul>
        </>
      }
      actions={rolloutActs(rollout).map((each) => (
        <Button
          key={each}
          needsServer
          kind={each === 'abort' ? 'danger' : 'usual'}
          onClick={() => setAct(each)}
          reason={maySomewhere(each === 'stop' ? 'stop' : 'rollout') ? null : `Your roles do not allow this.`}
        >
          {acts[each].verb}…
        </Button>
      ))}
    >
      <Section title="Waves" count={figure(rollout.waves.length)}>
        <Waves rollout={rollout} />
      </Section>
      <Accounts rollout={rollout} />
      {act === null ? null : (
        <ReasonDialog
          {...acts[act]}
          tried={acts[act].verb}
          isDangerous={act === 'abort'}
          path={`${pathOf`/rollouts/${rollout.id}`}/${act}`}
          draft={`rollout.${rollout.id}.${act}`}
          onDone={onChange}
          onClose={() => setAct(null)}
        >
          <p>{acts[act].text}</p>
        </ReasonDialog>
      )}
    </Page>
  );
}

function Accounts({ rollout }: { readonly rollout: RolloutDetail }) {
  const { get, set } = useAddress();
  const { query, chosen } = filtersOf(get, ['wave', 'state', 'q']);
  const { wave, state } = query;
  const text = query.q.trim().toLowerCase();
  const states = [...new Set(rollout.accounts.map((each) => each.state))];
  const rows = accountsWorstFirst(rollout.accounts).filter(
    (each) =>
      (wave === '' || String(each.wave + 1) === wave) &&
      (state === '' || each.state === state) &&
      (text === '' || each.account.toLowerCase().includes(text)),
  );
  const shown = rows.slice(0, mostShown);
  return (
    <Section title="Accounts" count={figure(rows.length)}>
      <FilterBar chosen={chosen}>
        <TextField label="Search" type="search" value={query.q} onInput={(value) => set({ q: value })} />
        <Choice
          label="Wave"
          value={wave}
          onChange={(value) => set({ wave: value })}
          options={[
            { value: '', text: 'Any' },
            ...rollout.waves.map(({ name }, index) => ({
              value: String(index + 1),
              text: `${figure(index + 1)} ${name}`,
            })),
          ]}
        />
        <Choice
          label="State"
          value={state}
          onChange={(value) => set({ state: value })}
          options={[
            { value: '', text: 'Any' },
            ...states.map((each) => ({ value: each, text: accountMark(each).word })),
          ]}
        />
      </FilterBar>
      {rows.length === 0 ? <EmptyState title="No account matches" /> : null}
      {shown.length === 0 ? null : (
        <Table
          label="Accounts"
          rows={shown}
          keyOf={({ account }) => account}
          columns={[
            {
              key: 'account',
              title: 'Account',
              isHead: true,
              isPlain: true,
              cell: ({ account }) => <NameLink href={consoleAddress.account(account)} name={account} />,
            },
            { key: 'state', title: 'State', cell: (each) => <StateMark mark={accountMark(each.state)} /> },
            { key: 'why', title: 'Reason', cell: ({ why }) => (why === null ? null : <Text text={why} />) },
            { key: 'wave', title: 'Wave', isNumber: true, cell: (each) => figure(each.wave + 1) },
            {
              key: 'changed',
              title: 'Changed',
              cell: ({ run, changed }) =>
                run === null ? (
                  <span class="dim">–</span>
                ) : (
                  <a href={consoleAddress.run(run)}>{changesText(changed)}</a>
                ),
            },
          ]}
        />
      )}
      {rows.length > shown.length ? (
        <p class="more">and {figure(rows.length - shown.length)} more: search or filter to see them.</p>
      ) : null}
    </Section>
  );
}

const mostShown = 300;

const acts = {
  stop: {
    title: 'Stop this rollout',
    verb: 'Stop',
    text: 'Runs in progress end as usual, and no other account starts. You can continue it later.',
    announcement: 'The rollout is stopped.',
  },
  continue: {
    title: 'Continue this rollout',
    verb: 'Continue',
    text: 'It continues with the accounts that are not done.',
    announcement: 'The rollout continues.',
  },
  abort: {
    title: 'Abort this rollout',
    verb: 'Abort',
    text: 'No other account starts, and nobody can continue it. Completed changes stay.',
    announcement: 'The rollout is aborted.',
  },
} as const;
