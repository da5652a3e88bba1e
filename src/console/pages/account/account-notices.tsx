import type { ComponentChildren } from 'preact';
import type { AccountDetail } from '../../../api/accounts.ts';
import { counted, sentence } from '../../../output/components/numbers.ts';
import { Name, PlaceText, Text } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Banner } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { healthMarks, healthMeanings } from '../../words/health.ts';
import { changedText } from '../../words/waiting-plan.ts';

interface Notice {
  readonly tone: 'red' | 'amber' | 'blue';
  readonly glyph: string;
  readonly text: ComponentChildren;
  readonly link?: readonly [title: string, href: string];
}

/**
 * What a reader must know about an account before all else. Its parts belong to one incident, so they are one notice: the
 * gravest part leads, and the others follow it as sentences.
 */
export function AccountNotices({ account }: { readonly account: AccountDetail }) {
  const [first, ...others] = noticesOf(account);
  if (first === undefined) return null;
  const links = [first, ...others].flatMap(({ link }) => (link === undefined ? [] : [link]));
  return (
    <Banner
      tone={first.tone}
      glyph={first.glyph}
      action={links.map(([title, href]) => (
        <ButtonLink key={href} href={href}>
          {title}
        </ButtonLink>
      ))}
    >
      <p>{first.text}</p>
      {others.map(({ glyph, text }) => (
        <p key={glyph}>{text}</p>
      ))}
    </Banner>
  );
}

function noticesOf(account: AccountDetail): readonly Notice[] {
  const { failure, pause, plan, run, health, hold, rejection } = account;
  const notices: Notice[] = [];
  if (failure !== null)
    notices.push({
      tone: 'red',
      glyph: '▲',
      text: (
        <>
          <Text text={sentence(failure.message)} /> {counted(failure.attempts, 'attempt')} failed, the first{' '}
          <Time at={failure.since} />
          {failure.retry_at === undefined ? null : (
            <>
              ; the next follows <Time at={failure.retry_at} />
            </>
          )}
          . {failure.hint === undefined ? null : <Text text={sentence(failure.hint)} />}{' '}
          <code>{failure.code}</code> <PlaceText place={failure.place} />
        </>
      ),
    });
  if (health === 'in_doubt' || health === 'in_progress')
    notices.push({
      tone: health === 'in_doubt' ? 'amber' : 'blue',
      glyph: healthMarks[health].glyph,
      text: `${healthMeanings[health]} ${health === 'in_doubt' ? 'The last run lists the hosts to check in the service.' : 'Later checks show whether it took effect.'}`,
      link: ['Show the history', consoleAddress.account(account.name, { tab: 'history' })],
    });
  if (pause !== null)
    notices.push({
      tone: 'amber',
      glyph: '‖',
      text: (
        <>
          <Name name={pause.by.name} /> paused this account <Time at={pause.at} />{' '}
          {pause.until === null ? (
            'until someone resumes it'
          ) : (
            <>
              until <Time at={pause.until} />
            </>
          )}
          : <Text text={sentence(pause.reason)} />
        </>
      ),
    });
  // A rejected plan also holds the account, and the record of the rejection explains more.
  if (rejection !== null)
    notices.push({
      tone: 'amber',
      glyph: '✕',
      text: (
        <>
          <Name name={rejection.by.name} /> rejected the plan <Time at={rejection.at} />
          {rejection.reason === null ? '' : ': '}
          <Text text={sentence(rejection.reason ?? '')} /> Checks make no new plan while the changes stay the
          same.
        </>
      ),
      link: ['Show the change', consoleAddress.change(rejection.plan)],
    });
  else if (hold)
    notices.push({
      tone: 'amber',
      glyph: '‖',
      text: (
        <>
          Since <Time at={hold.at} />: <Text text={hold.reason} />. Approve the plan, plan again, or change
          the desired state.
        </>
      ),
      link: ['Show the run', consoleAddress.run(hold.run)],
    });
  if (run !== null)
    notices.push({
      tone: 'blue',
      glyph: '▶',
      text: 'A run is changing this fleet.',
      link: ['Watch the run', consoleAddress.run(run)],
    });
  else if (plan !== null && plan.changes > 0)
    notices.push({
      tone: 'blue',
      glyph: '◇',
      text: changedText(plan),
      link: ['Review the plan', consoleAddress.change(plan.id)],
    });
  return notices;
}
