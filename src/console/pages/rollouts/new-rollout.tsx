import { useState } from 'preact/hooks';
import type { ComparisonRequest, PlansComparison } from '../../../api/compared-plans.ts';
import type { PlanRow } from '../../../api/plans.ts';
import { Choice, TextField } from '../../../output/components/field.tsx';
import { capitalized, counted, figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { consoleAddress, useAddress } from '../../browser/address.ts';
import { announce } from '../../browser/announce.ts';
import { forgetDrafts, useDraft } from '../../browser/draft.ts';
import { submits } from '../../browser/submit.ts';
import { useAction } from '../../data/action.ts';
import { type ApiProblem, pathOf, send } from '../../data/api.ts';
import { useCause } from '../../data/cause.ts';
import { maySomewhere } from '../../data/may.ts';
import { useResource } from '../../data/resource.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { ReasonField } from '../../parts/reason-field.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { approvalState, approvalsLeft } from '../../words/approvers.ts';
import { isExact, typedNumbers } from '../change/decision.ts';
import { ChosenPlansTable, commonApprovals } from './chosen-plans-table.tsx';
import { PlanDifferences } from './plan-differences.tsx';
import { togetherText } from './plans-together.ts';
import { accountsIn, mostInAddress, rolloutDraft } from './rollout-draft.ts';
import { divisions, sharesOf, wavesOf } from './wave-sizes.ts';
import { Waves } from './waves.tsx';
import '../../../output/components/style/review.css';
import './rollouts.css';

/** Plans of many accounts, reviewed together: approve those that take part, or apply them wave by wave. */
export function NewRolloutPage() {
  const { get } = useAddress();
  const cause = get('cause');
  const isCause = cause !== '';
  const found = useCause(cause);
  const [kept] = useDraft(`${rolloutDraft}accounts`);
  const accounts = accountsIn(get('accounts') || kept);
  return (
    <Page
      title={isCause ? capitalized(found?.title ?? 'Review of a cause') : 'New rollout'}
      above={
        <a href={isCause ? consoleAddress.causes() : consoleAddress.rollouts()}>
          {isCause ? 'Causes' : 'Rollouts'}
        </a>
      }
      below={
        found === undefined ? (
          <p>
            A rollout applies exactly these plans, wave by wave, and stops automatically if accounts fail.
          </p>
        ) : (
          <p>
            <a href={consoleAddress.accounts({ cause })}>{counted(found.accounts, 'account')}</a>,{' '}
            {counted(found.hosts, 'host')}
          </p>
        )
      }
    >
      {cause === '' && accounts.length === 0 ? (
        <EmptyState
          title="Which accounts should change?"
          action={
            <ButtonLink kind="primary" href={consoleAddress.accounts({ health: 'waiting' })}>
              Select accounts with plans
            </ButtonLink>
          }
        >
          <p>
            Select accounts in the list, or review the plans of{' '}
            <a href={consoleAddress.causes()}>one cause</a>.
          </p>
        </EmptyState>
      ) : (
        <Chosen of={cause === '' ? { accounts: [...accounts] } : { cause }} />
      )}
    </Page>
  );
}

function Chosen({ of: chosen }: { readonly of: Readonly<ComparisonRequest> }) {
  const { value, problem, reload } = useResource<PlansComparison>('/plans/compare', {
    body: chosen,
    when: ({ type }) => type === 'plan.changed',
  });
  const fault = <ErrorState problem={problem} tried="Reading the plans" onRetry={reload} />;
  if (value === null) return problem === null ? <Skeleton lines={8} label="Reading the plans" /> : fault;
  return (
    <>
      {fault}
      <PlanDifferences of={value} />
      {value.plans.length === 0 ? (
        <EmptyState title="None of these accounts has a plan">
          <p>Plan them first: an account that differs from its desired state gets a plan.</p>
        </EmptyState>
      ) : (
        <RolloutForm of={value} onStale={reload} />
      )}
    </>
  );
}

/** In the address: no account goes first. No account has this name. */
const noFirst = '-';

/** The address holds what the reader selects, and drafts what they type, so that new plans and a reload keep both. */
function RolloutForm({ of, onStale }: { readonly of: PlansComparison; readonly onStale: () => void }) {
  const { plans: open } = of;
  const { go, get, set } = useAddress();
  const draft = `${rolloutDraft}${get('cause')}.`;
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set(open.map(({ id }) => id)));
  const [kept, setKept] = useDraft(`${draft}without`);
  const without = new Set(accountsIn(get('without') || kept));
  const plans = open.filter(({ id, account }) => shown.has(id) && !without.has(account));
  const selectPlans = (part: ReadonlySet<string>) => {
    const isPart = ({ account }: PlanRow) => part.has(account);
    setShown(new Set([...shown, ...open.filter(isPart).map(({ id }) => id)]));
    const others = open.flatMap((plan) => (isPart(plan) ? [] : [plan.account])).join(' ');
    const fits = get('accounts').length + others.length <= mostInAddress;
    setKept(fits ? '' : others);
    set({ without: fits ? others : null });
  };
  const [reason, setReason] = useDraft(`${draft}reason`);
  const canaries = new Set(accountsIn(get('first') || (open[0]?.account ?? '')));
  const { value: division } = divisions.find(({ value }) => value === get('waves')) ?? divisions[0];
  const [failures, setFailures] = useDraft(`${draft}failures`, '0');
  const [minutes, setMinutes] = useDraft(`${draft}minutes`, '0');
  const [typed, setTyped] = useDraft(`${draft}numbers`);
  const numbers = typedNumbers(typed);
  const [isApproving, setApproving] = useState(false);
  const [refusal, setRefusal] = useState<ApiProblem | null>(null);
  const action = useAction<{ readonly id: string }>('POST', '/rollouts');
  // A plan that was replaced meanwhile takes its canary with it.
  const first = plans.flatMap(({ account }) => (canaries.has(account) ? [account] : []));
  const waves = wavesOf(plans.length, first.length, division);
  const all = commonApprovals(open);
  const why = missing(plans, numbers, { reason, failures, minutes });
  const mine = plans.filter(
    (plan) =>
      plan.state === 'waiting' && plan.may_approve.allowed && untypedLimits(plan, numbers).length === 0,
  );
  const complete = mine.filter((plan) => approvalsLeft(plan) === 0).length;
  const approve = async () => {
    setApproving(true);
    setRefusal(null);
    for (const plan of mine) {
      const body = { checksum: plan.checksum, numbers: numbersOf(plan), comment: reason.trim() };
      const answer = await send('POST', pathOf`/plans/${plan.id}/approve`, body);
      if (!answer.ok) setRefusal(answer.problem);
    }
    setApproving(false);
    onStale();
  };
  const start = async () => {
    const answer = await action.run({
      plans: plans.map((plan) => ({
        id: plan.id,
        checksum: plan.checksum,
        numbers: plan.state === 'waiting' ? numbersOf(plan) : {},
      })),
      reason: reason.trim(),
      ...(first.length === 0 ? {} : { canary: first }),
      waves: sharesOf(division),
      max_failed: Number(failures),
      pause_seconds: Number(minutes) * 60,
    });
    if (answer?.ok !== true) return;
    forgetDrafts(rolloutDraft);
    announce('The rollout has started.');
    go(consoleAddress.rollout(answer.value.id));
  };
  return (
    <form class="form new-rollout" onSubmit={submits(why === null, start)}>
      <Section
        title="Plans"
        count={figure(plans.length)}
        lead={[togetherText(plans), ...(all === null ? [] : [`Each plan requires ${all}.`])].join(' ')}
      >
        <ChosenPlansTable
          of={of}
          part={new Set(plans.map(({ account }) => account))}
          onPart={selectPlans}
          isNew={({ id }) => !shown.has(id)}
          canaries={canaries}
          onCanaries={(next) => set({ first: [...next].join(' ') || noFirst })}
          numbers={numbers}
          onNumbers={(next) => setTyped(JSON.stringify(next))}
        />
      </Section>
      <Section title="Waves" count={figure(waves.length)}>
        <div class="filters">
          <Choice
            label="After the first wave"
            value={division}
            options={divisions}
            onChange={(waves) => set({ waves })}
          />
          <TextField
            label="Accounts that may fail"
            value={failures}
            onInput={setFailures}
            inputMode="numeric"
            problem={isCount(failures, 1_000) ? null : 'A whole number from 0 to 1,000.'}
          />
          <TextField
            label="Minutes between waves"
            value={minutes}
            onInput={setMinutes}
            inputMode="numeric"
            problem={isCount(minutes, 1_440) ? null : 'A whole number from 0 to 1,440.'}
          />
        </div>
        <Waves
          rollout={{
            wave: 0,
            waves: waves.map((wave) => ({ ...wave, done: 0, failed: 0, running: 0, state: 'pending' })),
          }}
        />
      </Section>
      <ReasonField value={reason} onInput={setReason} />
      <ErrorState
        problem={action.problem}
        tried="Starting the rollout"
        {...(action.problem?.status === 409 && { onRetry: onStale })}
      />
      <ErrorState problem={refusal} tried="Approving" />
      <p class="actions">
        <Button type="submit" kind="primary" isBusy={action.isBusy} reason={why ?? lacking(plans)}>
          Approve and start with {counted(plans.length, 'account')}
        </Button>
        {mine.length === 0 ? null : (
          <Button isBusy={isApproving} onClick={() => void approve()}>
            Approve {counted(mine.length, 'plan')} without a rollout
          </Button>
        )}
        {complete === 0 ? null : (
          <span class="dim">Without a rollout, {figure(complete)} of them would run at once.</span>
        )}
      </p>
    </form>
  );
}

/** What is missing before the rollout can start; null if nothing. */
function missing(
  plans: readonly PlanRow[],
  numbers: Readonly<Record<string, string>>,
  { reason, failures, minutes }: Readonly<Record<'reason' | 'failures' | 'minutes', string>>,
): string | null {
  if (!maySomewhere('rollout')) return 'Your roles do not allow starting rollouts.';
  if (plans.length === 0) return 'Select at least one account.';
  const refused = plans.find(({ state, may_approve: may }) => state === 'waiting' && !may.allowed);
  if (refused !== undefined) return `You can't approve the plan of ${refused.account}.`;
  const untyped = plans.find((plan) => plan.state === 'waiting' && untypedLimits(plan, numbers).length > 0);
  if (untyped !== undefined) return `Type the exact numbers of ${untyped.account}.`;
  if (!isCount(failures, 1_000) || !isCount(minutes, 1_440)) return 'Correct the numbers of the waves.';
  return reason.trim() === '' ? 'Enter a reason first.' : null;
}

/** The limits whose exact number is not typed yet. */
function untypedLimits({ id, required }: PlanRow, numbers: Readonly<Record<string, string>>) {
  return required.numbers.filter(({ limit, value }) => !isExact(numbers[`${id} ${limit}`], value));
}

/** Who else must approve before the rollout can start; null if nobody. */
function lacking(plans: readonly PlanRow[]): string | null {
  const found = plans.find((plan) => approvalsLeft(plan) > 0);
  return found === undefined ? null : `${found.account}: ${approvalState(found)}.`;
}

function numbersOf({ required }: PlanRow): Readonly<Record<string, number>> {
  return Object.fromEntries(required.numbers.map(({ limit, value }) => [limit, value]));
}

function isCount(text: string, most: number): boolean {
  return /^\d{1,4}$/.test(text.trim()) && Number(text) <= most;
}
