import type { AccountDetail } from '../../../api/accounts.ts';
import { counted, sentence } from '../../../output/components/numbers.ts';
import { Name, Place, Text } from '../../../output/components/text.tsx';
import { pageOf } from '../../browser/address.ts';
import { Banner } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { healthMarks, healthMeanings } from '../../words/health.ts';
import { changedText } from '../../words/waiting-plan.ts';

const unsettledHints = {
  in_doubt: 'Check the host in the service. The run lists the step.',
  in_progress: 'Later checks show whether it took effect.',
} as const;

/** What a reader must know about an account before all else: why it fails, who paused it, what waits or runs. */
export function AccountNotices({ account }: { readonly account: AccountDetail }) {
  const { failure, pause, plan, run, health, rejection } = account;
  return (
    <div class="notices">
      {failure === null ? null : (
        <div class="fault">
          <p class="fault-title">
            <span class="glyph" aria-hidden="true">
              ▲
            </span>
            <Text text={failure.message} />
          </p>
          <p>
            {counted(failure.attempts, 'attempt')} failed, the first <Time at={failure.since} />.
            {failure.retry_at === undefined ? null : (
              <>
                {' '}
                The next attempt follows <Time at={failure.retry_at} />.
              </>
            )}
          </p>
          {failure.hint === undefined ? null : (
            <p class="hint">
              <Text text={failure.hint} />
            </p>
          )}
          <p class="fault-code">
            <code>{failure.code}</code> <Place place={failure.place} />
          </p>
        </div>
      )}
      {health === 'in_doubt' || health === 'in_progress' ? (
        <Banner
          tone={health === 'in_doubt' ? 'amber' : 'blue'}
          glyph={healthMarks[health].glyph}
          action={
            <a class="button" href={pageOf.account(account.name, { tab: 'history' })}>
              Show the history
            </a>
          }
        >
          {healthMeanings[health]} {unsettledHints[health]}
        </Banner>
      ) : null}
      {pause === null ? null : (
        <Banner tone="amber" glyph="‖">
          <Name name={pause.by.name} /> paused this account <Time at={pause.at} />:{' '}
          <Text text={sentence(pause.reason)} />{' '}
          {pause.until === undefined ? (
            'It stays paused until someone resumes it.'
          ) : (
            <>
              It resumes <Time at={pause.until} />.
            </>
          )}
        </Banner>
      )}
      {account.hold ? (
        <Banner
          tone="amber"
          glyph="‖"
          action={
            <a class="button" href={pageOf.run(account.hold.run)}>
              Show the run
            </a>
          }
        >
          Since <Time at={account.hold.at} />: <Text text={account.hold.reason} />. Approve the plan, plan
          again, or change the desired state.
        </Banner>
      ) : null}
      {rejection === null ? null : (
        <Banner
          tone="amber"
          glyph="✕"
          action={
            <a class="button" href={pageOf.change(rejection.plan)}>
              Show the change
            </a>
          }
        >
          <Name name={rejection.by.name} /> rejected the plan <Time at={rejection.at} />
          {rejection.reason === null ? (
            '.'
          ) : (
            <>
              : <Text text={sentence(rejection.reason)} />
            </>
          )}{' '}
          Checks make no new plan while the changes stay the same.
        </Banner>
      )}
      {plan === null ? null : (
        <Banner
          tone="blue"
          glyph="◇"
          action={
            <a class="button" href={pageOf.change(plan.id)}>
              Review the plan
            </a>
          }
        >
          {changedText(plan)}
        </Banner>
      )}
      {run === null ? null : (
        <Banner
          tone="blue"
          glyph="▶"
          action={
            <a class="button" href={pageOf.run(run)}>
              Watch the run
            </a>
          }
        >
          A run is changing this fleet.
        </Banner>
      )}
    </div>
  );
}
