import { useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { PlanDetail } from '../../../api/plans.ts';
import type { RunDetail } from '../../../api/runs.ts';
import { inFigures } from '../../../output/components/numbers.ts';
import { shortHash } from '../../../output/components/places.ts';
import { NameLink } from '../../../output/components/text.tsx';
import { consoleAddress, useAddress } from '../../browser/address.ts';
import { isPrinting } from '../../browser/printing.ts';
import { pathOf } from '../../data/api.ts';
import { type PageResource, useResource } from '../../data/resource.ts';
import { StateMark } from '../../parts/mark.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { ChangeStateBanner } from './change-state-banner.tsx';
import { type ChangeParts, changeMark, currentStep, type StepName, stepNames } from './change-step.ts';
import { ChangeSteps } from './change-steps.tsx';
import { ChangeComments } from './comments.tsx';
import { DecisionPanel } from './decision-panel.tsx';
import { FileEdits } from './file-edits.tsx';
import { ReviewPanel } from './plan-review.tsx';
import { ProofPanel } from './proof.tsx';
import { RunActions } from './run-actions.tsx';
import { RunView } from './run-view.tsx';
import '../../../output/components/style/review.css';
import './change.css';
import { runVerdict } from './run-words.ts';

/** One change: its plan, the decisions about it, its run, what reads showed afterwards, and its reversal. */
export function Change() {
  const { id = '' } = useRoute().params;
  const plan: PageResource<PlanDetail> = useResource<PlanDetail>(pathOf`/plans/${id}`, {
    when: ({ type, resource, account }) =>
      resource === id ||
      (account !== null &&
        account === plan.value?.account &&
        // The events of a run concern its plan only as it begins and ends.
        type !== 'run.event' &&
        (type !== 'run.changed' || plan.value.run === null)),
  });
  const runId = plan.value?.run ?? null;
  const run = useResource<RunDetail>(runId === null ? null : pathOf`/runs/${runId}`, {
    when: ({ resource }) => resource === runId,
  });
  const reload = () => {
    plan.reload();
    run.reload();
  };
  // While the new run of a plan is read, the page stays, with the focus of the reader.
  const shown = useRef<string | null>(null);
  const isReady = runId === null || run.value !== null || shown.current === id;
  if (plan.value !== null && isReady) shown.current = id;
  return (
    <Loaded of={plan} tried="Reading the plan" lines={14}>
      {(value) => (
        <Loaded
          of={{ ...run, value: isReady ? { run: run.value } : null }}
          tried="Reading the run"
          lines={14}
        >
          {(its) => <LoadedChange key={id} plan={value} run={its.run} onChange={reload} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface ChangeProps extends ChangeParts {
  readonly onChange: () => void;
}

function LoadedChange({ plan, run, onChange }: ChangeProps) {
  const { get } = useAddress();
  const area = useRef<HTMLDivElement>(null);
  const before = useRef<StepName | null>(null);
  // A run that begins does not take a reader away from the step that they work in.
  const held = area.current?.contains(document.activeElement) === true ? before.current : null;
  const open = stepNames.find((name) => name === get('step')) ?? held ?? currentStep({ plan, run });
  before.current = open;
  return (
    <Page
      title={`Change ${shortHash(plan.checksum)} of ${plan.account}`}
      class="change-page"
      above={<NameLink href={consoleAddress.account(plan.account)} name={plan.account} />}
      heading={
        <>
          Change {shortHash(plan.checksum)} <StateMark mark={changeMark({ plan, run })} />
        </>
      }
      below={<p class="verdict">{run === null ? inFigures(plan.verdict) : runVerdict(run)}</p>}
      actions={run === null ? null : <RunActions run={run} onChange={onChange} />}
    >
      <ChangeStateBanner plan={plan} />
      <ChangeSteps plan={plan} run={run} open={open} />
      <div class="with-aside">
        <div class="change-main" ref={area}>
          {(isPrinting.value ? stepNames : [open]).map((step) => (
            <OpenStep key={step} step={step} plan={plan} run={run} onChange={onChange} />
          ))}
        </div>
        <DecisionPanel plan={plan} run={run} onChange={onChange} />
      </div>
    </Page>
  );
}

function OpenStep({ step, plan, run, onChange }: ChangeProps & { readonly step: StepName }) {
  if (step === 'file') return <FileEdits plan={plan} />;
  if (step === 'plan') return <ReviewPanel plan={plan} onChange={onChange} />;
  if (step === 'decisions') return <ChangeComments plan={plan} onChange={onChange} />;
  if (step === 'run') return <RunView run={run} />;
  return <ProofPanel plan={plan} run={run} />;
}
