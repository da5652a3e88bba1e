import { useState } from 'preact/hooks';
import type { RunDetail } from '../../../api/runs.ts';
import { isOpenRun } from '../../../api/states.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { ProblemItem } from '../../../output/components/problems.tsx';
import { FactList, Section } from '../../../output/components/section.tsx';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { IdText, Name, Text } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { soon } from '../../words/times.ts';
import { EventList } from './event-list.tsx';
import { PaceCurve } from './pace.tsx';
import { RunProgress } from './progress.tsx';
import { droppedOut, isOvertaken } from './run-words.ts';

/** The run of a change: its progress, or its result. Dropped hosts are listed above the finished ones. */
export function RunView({ run }: { readonly run: RunDetail | null }) {
  if (run === null)
    return (
      <EmptyState title="This change has not started">
        Its run starts automatically once the plan has all its approvals. Each step appears here as it
        happens.
      </EmptyState>
    );
  // The code of a failed run explains why.
  const hasDropOuts = run.state === 'done' || isOvertaken(run);
  const isDropOut = ({ code }: RunDetail['problems'][number]) => hasDropOuts && code === 'stale-plan';
  const dropped = run.problems.filter(isDropOut);
  const others = run.problems.filter((each) => !isDropOut(each));
  return (
    <>
      <Problems
        title="Dropped out"
        count={counted(isOvertaken(run) ? run.steps.skipped : droppedOut(run), 'step')}
        problems={dropped}
        severity="warning"
      />
      <div class="run-now">
        <RunProgress run={run} />
        <div class="run-side">{isOpenRun(run.state) ? <PaceCurve run={run} /> : null}</div>
      </div>
      {run.waits_for || run.waiting.length === 0 ? null : <WaitingSteps waits={run.waiting} />}
      <Problems title="Problems" count={figure(others.length)} problems={others} severity="error" />
      <RunFacts run={run} />
      <EventList run={run} />
    </>
  );
}

interface ProblemsProps {
  readonly title: string;
  readonly count: string;
  readonly problems: RunDetail['problems'];
  readonly severity: 'error' | 'warning';
}

function Problems({ title, count, problems, severity }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <Section title={title} count={count}>
      <ul class="problems">
        {problems.map((each, index) => (
          <ProblemItem
            key={`${index} ${each.code}`}
            id={`${severity}-${index}`}
            problem={{ ...each, severity }}
          />
        ))}
      </ul>
    </Section>
  );
}

function RunFacts({ run }: { readonly run: RunDetail }) {
  return (
    <FactList
      facts={[
        ['Run', <IdText key="id" id={run.id} />],
        ['Started by', run.by === null ? <span class="dim">the server</span> : <Name name={run.by.name} />],
        ...(run.reason === null ? [] : [['Reason', run.reason] as const]),
        ...(run.override
          ? [['Windows', `${run.override.by.name} overrides them: ${run.override.reason}`] as const]
          : []),
        ...(run.started_at === null
          ? []
          : [['Started', <Time key="started" at={run.started_at} />] as const]),
        ...(run.ended_at === null ? [] : [['Ended', <Time key="ended" at={run.ended_at} />] as const]),
        ...(run.audit === null
          ? []
          : [
              [
                'Audit',
                <a key="audit" href={consoleAddress.audit({ q: run.audit })}>
                  Records of this run
                </a>,
              ] as const,
            ]),
      ]}
    />
  );
}

type Wait = RunDetail['waiting'][number];

/** So many rows are shown at first. */
const few = 6;

const columns: readonly TableColumn<Wait>[] = [
  { key: 'step', title: 'Step', isHead: true, isPlain: true, cell: ({ title }) => <Text text={title} /> },
  {
    key: 'for',
    title: 'Waits for',
    cell: ({ for: reason, until }) => (
      <>
        <Text text={reason} />
        {until === undefined ? null : `, ${soon(until, Date.now())}`}
      </>
    ),
  },
];

/** The steps that were not sent yet, and what each waits for. */
function WaitingSteps({ waits }: { readonly waits: readonly Wait[] }) {
  const [isLong, setLong] = useState(false);
  const steps = waits.reduce((sum, wait) => sum + (wait.steps ?? 1), 0);
  const rows = isLong ? waits : waits.slice(0, few);
  return (
    <Section title="Waiting" count={counted(steps, 'step')}>
      <Table label="Waiting" columns={columns} rows={rows} keyOf={({ step, title }) => `${step} ${title}`} />
      {rows.length === waits.length ? null : (
        <div class="actions">
          <Button onClick={() => setLong(true)}>Show {figure(waits.length)} rows</Button>
        </div>
      )}
    </Section>
  );
}
