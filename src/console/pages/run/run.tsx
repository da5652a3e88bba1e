import { useRoute } from 'preact-iso/router';
import type { RunDetail } from '../../../api/runs.ts';
import { figure } from '../../../output/components/numbers.ts';
import { Facts, Section } from '../../../output/components/section.tsx';
import { Id, Name } from '../../../output/components/text.tsx';
import { pageOf } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { type Resource, useResource } from '../../data/resource.ts';
import { StateMark } from '../../parts/mark.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { runMarks } from '../../words/state-marks.ts';
import { EventList } from './event-list.tsx';
import { Pace } from './pace.tsx';
import { Progress } from './progress.tsx';
import '../../../output/components/style/review.css';
import './run.css';
import { RunActions } from './run-actions.tsx';
import { isUnderWay, verdictOf } from './run-words.ts';
import { Waiting } from './waiting.tsx';

/** One run: what it does now, or what became of it. */
export function Run() {
  const { id = '' } = useRoute().params;
  const run: Resource<RunDetail> = useResource<RunDetail>(pathOf`/runs/${id}`, {
    when: (event) => event.resource === id,
  });
  return (
    <Loaded of={run} tried="Reading the run" lines={14}>
      {(value) => <LoadedRun key={id} run={value} onChange={run.reload} />}
    </Loaded>
  );
}

function LoadedRun({ run, onChange }: { readonly run: RunDetail; readonly onChange: () => void }) {
  const underWay = isUnderWay(run);
  return (
    <Page
      title={`Run on ${run.account}`}
      class="run-page"
      above={
        <a href={pageOf.account(run.account)}>
          <Name name={run.account} />
        </a>
      }
      heading={
        <>
          Run <StateMark mark={runMarks[run.state]} />
        </>
      }
      below={<p class="verdict">{verdictOf(run)}</p>}
      actions={<RunActions run={run} onChange={onChange} />}
    >
      <RunFacts run={run} />
      <div class="run-now">
        <Progress run={run} />
        <div class="run-side">{underWay ? <Pace run={run} /> : null}</div>
      </div>
      {run.waits_for || run.waiting.length === 0 ? null : <Waiting waits={run.waiting} />}
      {run.problems.length === 0 ? null : (
        <Section title="Problems" count={figure(run.problems.length)}>
          <ul class="problems">
            {run.problems.map(({ code, message, hint }, index) => (
              <li key={`${index} ${code}`} class="problem red">
                <p>{message}</p>
                {hint === undefined ? null : <p class="hint">{hint}</p>}
                <p class="dim">
                  <code>{code}</code>
                </p>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <EventList run={run} />
    </Page>
  );
}

function RunFacts({ run }: { readonly run: RunDetail }) {
  return (
    <Facts
      facts={[
        ['Run', <Id key="id" id={run.id} />],
        [
          'Plan',
          run.plan === null ? (
            <span class="dim">none</span>
          ) : (
            <a href={pageOf.plan(run.plan)}>The reviewed plan</a>
          ),
        ],
        ['Started by', run.by === null ? <span class="dim">the server</span> : <Name name={run.by.name} />],
        ...(run.reason === null ? [] : [['Reason', run.reason] as const]),
        ...(run.override
          ? [['Windows', `${run.override.by.name} overrides them: ${run.override.reason}`] as const]
          : []),
        ['Started', <Time key="started" at={run.started_at} />],
        ...(run.ended_at === null ? [] : [['Ended', <Time key="ended" at={run.ended_at} />] as const]),
        ...(run.exit_code === null ? [] : [['Exit code', figure(run.exit_code)] as const]),
        ...(run.audit === null
          ? []
          : [
              [
                'Audit',
                <a key="audit" href={pageOf.audit({ q: run.audit })}>
                  Records of this run
                </a>,
              ] as const,
            ]),
      ]}
    />
  );
}
