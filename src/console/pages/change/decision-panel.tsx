import { useState } from 'preact/hooks';
import type { GivenApproval } from '../../../api/plans.ts';
import { TextField } from '../../../output/components/field.tsx';
import { figure } from '../../../output/components/numbers.ts';
import { Name } from '../../../output/components/text.tsx';
import { announce } from '../../browser/announce.ts';
import { now } from '../../browser/clock.ts';
import { forgetDrafts, useDraft } from '../../browser/draft.ts';
import { submits } from '../../browser/submit.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { approversText } from '../../words/approvers.ts';
import { decisionMark } from '../../words/state-marks.ts';
import { ChangeOrigin } from './change-origin.tsx';
import { approvalsOf, type ChangeParts, isUnapproved, type PlanPartProps } from './change-step.ts';
import { changeNoun } from './change-words.ts';
import {
  approvalOf,
  closedReason,
  isExact,
  isReplaced,
  numbersAsTyped,
  rejectionOf,
  typedNumbers,
} from './decision.ts';

/** The side of a plan: who approved it, the decision, and what exactly it is about. */
export function DecisionPanel({ plan, run, onChange }: PlanPartProps & Pick<ChangeParts, 'run'>) {
  const isOpen = closedReason(plan, now.value) === null || isReplaced(plan, now.value);
  return (
    <>
      {isOpen && maySomewhere('approve') ? (
        <a class="button primary bulk-bar to-decision" href="#decision">
          Approve or reject
        </a>
      ) : null}
      <aside id="decision" class="card decision" aria-label="Decision" tabIndex={-1}>
        <Approvals plan={plan} run={run} />
        {isReplaced(plan, now.value) ? (
          <p>
            A check has replaced this plan. Your approval covers only the changes that are also in the newer
            plan.
          </p>
        ) : null}
        {isOpen ? (
          <DecisionForm plan={plan} onChange={onChange} />
        ) : (
          <p class="decision-closed">{closedReason(plan, now.value)}</p>
        )}
        <ChangeOrigin plan={plan} />
      </aside>
    </>
  );
}

function DecisionForm({ plan, onChange }: PlanPartProps) {
  const draft = `plan.${plan.checksum}.`;
  const [typedText, setTypedText] = useDraft(`${draft}numbers`);
  const [comment, setComment] = useDraft(`${draft}comment`);
  const [isRejecting, setRejecting] = useState(false);
  const approving = useAction('POST', pathOf`/plans/${plan.id}/approve`);
  const typed = typedNumbers(typedText);
  const approval = approvalOf(plan, typed, now.value);
  const rejection = rejectionOf(plan, maySomewhere('approve'), now.value);
  const approve = async () => {
    const answer = await approving.run({
      checksum: plan.checksum,
      numbers: numbersAsTyped(plan, typed),
      ...(comment.trim() !== '' && { comment: comment.trim() }),
    });
    if (answer?.ok !== true) return;
    forgetDrafts(draft);
    setComment('');
    announce('Your approval is recorded.');
    onChange();
  };
  return (
    <form class="form decision-form" onSubmit={submits(approval.isAllowed, approve)}>
      {plan.may_approve.allowed ? (
        <>
          {plan.required.numbers.map(({ limit, value, allowed }) => (
            <TextField
              key={limit}
              label={`Number of ${changeNoun(limit)}`}
              inputMode="numeric"
              value={typed[limit] ?? ''}
              onInput={(next) => setTypedText(JSON.stringify({ ...typed, [limit]: next }))}
              hint={`${figure(value)} planned, ${figure(allowed)} allowed without this. Type ${value} to approve exactly this many.`}
              problem={
                (typed[limit] ?? '') === '' || isExact(typed[limit], value)
                  ? null
                  : `The plan has ${value}, not ${typed[limit]}.`
              }
            />
          ))}
          <TextField
            label="Comment (optional)"
            lines={2}
            value={comment}
            onInput={setComment}
            maxLength={2_000}
          />
        </>
      ) : null}
      <div class="decision-buttons">
        <Button
          type="submit"
          kind="primary"
          isBusy={approving.isBusy}
          reason={approval.isAllowed ? null : approval.reasons.join(' ')}
        >
          Approve
        </Button>
        {maySomewhere('approve') ? (
          <Button
            kind="danger"
            needsServer
            onClick={() => setRejecting(true)}
            reason={rejection.isAllowed ? null : rejection.reasons.join(' ')}
          >
            Reject…
          </Button>
        ) : null}
      </div>
      <ErrorState tried="Approving" problem={approving.problem} />
      {isRejecting ? (
        <ReasonDialog
          title="Reject this plan"
          verb="Reject"
          tried="Rejecting"
          isDangerous
          path={pathOf`/plans/${plan.id}/reject`}
          body={() => ({ checksum: plan.checksum })}
          draft={`${draft}rejection`}
          longest={2_000}
          announcement="The plan is rejected."
          onDone={onChange}
          onClose={() => setRejecting(false)}
        >
          <p>
            Nobody can apply a rejected plan. While the changes stay the same, checks make no new plan until
            this one expires or someone plans again.
          </p>
        </ReasonDialog>
      ) : null}
    </form>
  );
}

function Approvals({ plan, run }: ChangeParts) {
  const { approvals, required, state } = plan;
  const { given, needed } = approvalsOf(plan);
  const isWithout = isUnapproved(plan, run);
  return (
    <section class="approvals">
      <h2>Approvals {isWithout ? null : <span class="section-count">{`${given} of ${needed}`}</span>}</h2>
      {isWithout ? <p class="dim">No approval was needed{run?.reason && `: ${run.reason}`}.</p> : null}
      {approvals.length === 0 ? (
        isWithout || <p class="dim">Nobody has decided yet.</p>
      ) : (
        <ul>
          {approvals.map((each) => (
            <ApprovalItem key={`${each.by.kind} ${each.by.id}`} approval={each} />
          ))}
        </ul>
      )}
      {state === 'waiting' ? <p class="dim">Requires {approversText({ required })}.</p> : null}
    </section>
  );
}

function ApprovalItem({ approval }: { readonly approval: GivenApproval }) {
  const { by, at, decision, numbers, comment, via } = approval;
  const exact = Object.entries(numbers).map(([limit, value]) => `${figure(value)} ${changeNoun(limit)}`);
  return (
    <li>
      <p>
        <StateMark mark={decisionMark(decision)} /> by <Name name={by.name} />, <Time at={at} />
        {via === 'console' ? null : ` (${viaWords[via]})`}
      </p>
      {exact.length === 0 ? null : <p class="dim">Exactly {exact.join(', ')}</p>}
      {comment === undefined ? null : <p class="quote">{comment}</p>}
    </li>
  );
}

const viaWords = {
  console: 'console',
  api: 'API',
  cli: 'command line',
  'pull-request': 'pull request',
  rollout: 'rollout',
} as const;
