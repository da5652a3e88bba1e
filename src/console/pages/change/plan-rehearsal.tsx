import { useState } from 'preact/hooks';
import type { RehearsalDetail } from '../../../api/plans.ts';
import { hasNotBegun } from '../../../api/states.ts';
import { listed } from '../../../core/lib/words.ts';
import { shortDuration } from '../../../output/components/durations.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { ProblemItem } from '../../../output/components/problems.tsx';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { Count, Name, Text } from '../../../output/components/text.tsx';
import { announce } from '../../browser/announce.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import type { PlanPartProps } from './change-step.ts';

type Run = RehearsalDetail['runs'][number];

const unchanged = 'The fleet has not changed since this rehearsal, so its result still holds.';

/** A plan on an emulated copy of the fleet: how it ends, and its obstacles. */
export function PlanRehearsal({ plan, onChange }: PlanPartProps) {
  const { rehearsal } = plan;
  const asking = useAction<RehearsalDetail>('POST', pathOf`/plans/${plan.id}/rehearsal`);
  const [isSame, setSame] = useState(false);
  const isOpen = hasNotBegun(plan.state);
  const isBusy = rehearsal?.state === 'queued' || rehearsal?.state === 'running';
  const ask = async () => {
    const answer = await asking.run();
    if (answer?.ok !== true) return;
    const isOld = answer.value.ended_at !== null;
    setSame(isOld);
    announce(isOld ? unchanged : 'The rehearsal is queued.');
    onChange();
  };
  return (
    <Section title="Rehearsal">
      {rehearsal === null ? (
        <p class="dim">
          Not rehearsed. A rehearsal runs this plan on an emulated copy of the fleet, with and without faults,
          and sends nothing to the service.
        </p>
      ) : (
        <Result rehearsal={rehearsal} />
      )}
      {isSame && !isBusy ? <p class="dim">{unchanged}</p> : null}
      {isOpen && maySomewhere('rehearse') ? (
        <div class="actions">
          <Button
            onClick={() => void ask()}
            isBusy={asking.isBusy}
            reason={isBusy ? 'A rehearsal is in progress.' : null}
          >
            {rehearsal === null ? 'Rehearse' : 'Rehearse again'}
          </Button>
        </div>
      ) : null}
      <ErrorState tried="Rehearsing" problem={asking.problem} />
    </Section>
  );
}

function Result({ rehearsal }: { readonly rehearsal: RehearsalDetail }) {
  const { state, by, asked_at: askedAt, ended_at: endedAt, converged, failure } = rehearsal;
  if (state === 'queued' || state === 'running')
    return (
      <p role="status">
        <StateMark
          mark={{ tone: 'blue', glyph: '▶', word: state === 'queued' ? 'waits for a worker' : 'in progress' }}
        />
        , requested by <Name name={by.name} />, <Time at={askedAt} />
      </p>
    );
  if (failure !== null)
    return (
      <>
        <p>
          <StateMark mark={{ tone: 'red', glyph: '✕', word: 'failed' }} />: <Text text={failure.message} />
        </p>
        {failure.hint === undefined ? null : <p class="hint">{failure.hint}</p>}
      </>
    );
  return (
    <>
      <p>
        {converged === true ? (
          <StateMark mark={{ tone: 'green', glyph: '●', word: 'reached the planned state' }} />
        ) : (
          <StateMark mark={{ tone: 'amber', glyph: '◆', word: 'did not reach the planned state' }} />
        )}{' '}
        <span class="dim">
          requested by <Name name={by.name} />, <Time at={endedAt} />
        </span>
      </p>
      <Table
        label="Runs of the rehearsal"
        rows={rehearsal.runs}
        keyOf={({ kind }) => kind}
        columns={[
          { key: 'kind', title: 'Run', isHead: true, isPlain: true, cell: ({ kind }) => runWords[kind] },
          { key: 'steps', title: 'Steps', cell: stepWords },
          { key: 'calls', title: 'Calls', isNumber: true, cell: ({ calls }) => <Count value={calls} /> },
          { key: 'conflicts', title: '409 responses', cell: conflictWords },
          {
            key: 'refusals',
            title: '429 responses',
            isNumber: true,
            cell: ({ refusals }) => <Count value={refusals} />,
          },
          { key: 'seconds', title: 'Time', cell: ({ seconds }) => shortDuration(seconds) },
        ]}
      />
      <Findings rehearsal={rehearsal} />
    </>
  );
}

const runWords = { without_faults: 'without faults', with_faults: 'with faults' } as const;

function stepWords({ steps }: Run): string {
  const rest = [
    ...(steps.failed === 0 ? [] : [`${figure(steps.failed)} failed`]),
    ...(steps.in_doubt === 0 ? [] : [`${figure(steps.in_doubt)} in doubt`]),
    ...(steps.skipped === 0 ? [] : [`${figure(steps.skipped)} not started`]),
  ];
  const done = `${figure(steps.done)} of ${figure(steps.total)} done`;
  return rest.length === 0 ? done : `${done}, ${listed(rest)}`;
}

function conflictWords({ conflicts }: Run): string {
  if (conflicts.answers === 0) return 'none';
  const ends = [
    ...(conflicts.already === 0 ? [] : [`${counted(conflicts.already, 'host')} already had the name`]),
    ...(conflicts.repeated === 0
      ? []
      : [`${counted(conflicts.repeated, 'host')} got the name from an earlier call`]),
    ...(conflicts.failed === 0 ? [] : [`${counted(conflicts.failed, 'host')} failed`]),
  ];
  return `${figure(conflicts.answers)}: ${listed(ends)}`;
}

function Findings({ rehearsal: { findings, more_findings: more } }: { readonly rehearsal: RehearsalDetail }) {
  if (findings.length === 0) return null;
  return (
    <ul class="problems" aria-label="Findings of the rehearsal">
      {findings.map(({ run, ...each }, index) => (
        <ProblemItem key={`${index} ${each.code}`} id={`finding-${index}`} problem={each}>
          <p class="dim">{runWords[run]}</p>
        </ProblemItem>
      ))}
      {more === 0 ? null : <li class="dim">{counted(more, 'more finding')}</li>}
    </ul>
  );
}
