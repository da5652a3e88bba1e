import { useState } from 'preact/hooks';
import type { NotificationRow } from '../../../api/settings.ts';
import { shortDuration } from '../../../output/components/durations.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { FactList, Section } from '../../../output/components/section.tsx';
import { Tag } from '../../../output/components/tag.tsx';
import { Name } from '../../../output/components/text.tsx';
import { announce } from '../../browser/announce.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { Banner, EmptyState, ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { Deliveries } from './deliveries.tsx';

interface NotificationsProps {
  readonly notifications: readonly NotificationRow[];
  readonly onChange: () => void;
}

const kinds = {
  slack: 'Slack',
  teams: 'Teams',
  webhook: 'Webhook',
  email: 'Email',
  github: 'GitHub',
  gitlab: 'GitLab',
} as const;

/** Where messages go, each with a test and the messages that were given up. */
export function NotificationsSection({ notifications, onChange }: NotificationsProps) {
  if (notifications.length === 0)
    return (
      <EmptyState title="Nobody is notified">
        Add Slack, Teams, webhook or email targets under <code>server.notifications</code>.
      </EmptyState>
    );
  return (
    <>
      <Section title="Notifications" count={figure(notifications.length)}>
        <ul class="targets">
          {notifications.map((each) => (
            <Target key={each.name} target={each} onChange={onChange} />
          ))}
        </ul>
      </Section>
      <Deliveries />
    </>
  );
}

function Target({ target, onChange }: { readonly target: NotificationRow; readonly onChange: () => void }) {
  const testing = useAction<{ sent: boolean; message: string }>(
    'POST',
    pathOf`/notifications/${target.name}/test`,
  );
  const redriving = useAction<{ redriven: number }>('POST', pathOf`/notifications/${target.name}/redrive`);
  const [message, setMessage] = useState<{ readonly isGood: boolean; readonly text: string } | null>(null);
  const refusal = maySomewhere('redrive') ? null : 'Your roles do not allow this.';
  const show = (isGood: boolean, text: string) => {
    setMessage({ isGood, text });
    announce(text);
  };
  const test = async () => {
    setMessage(null);
    const answer = await testing.run({});
    if (answer?.ok !== true) return;
    show(answer.value.sent, answer.value.message);
    onChange();
  };
  const redrive = async () => {
    setMessage(null);
    const answer = await redriving.run({});
    if (answer?.ok !== true) return;
    show(true, `${counted(answer.value.redriven, 'message')} will be sent again.`);
    onChange();
  };
  return (
    <li class="card target">
      <div class="target-head">
        <h3>
          <Name name={target.name} /> <Tag>{kinds[target.kind]}</Tag>
        </h3>
        {target.problem === null ? (
          <StateMark
            mark={
              target.last_sent_at === null
                ? { word: 'nothing sent yet', glyph: '○', tone: 'dim' }
                : { word: 'working', glyph: '●', tone: 'green' }
            }
          />
        ) : (
          <StateMark mark={{ word: 'failing', glyph: '▲', tone: 'red' }} />
        )}
      </div>
      {target.problem === null ? null : <p class="source-problem">{target.problem}</p>}
      <FactList
        facts={[
          ['Sends', target.kinds.join(', ').replaceAll('_', ' ')],
          ['For', target.where === null ? 'all accounts' : <code key="where">{target.where}</code>],
          [
            'Digest',
            target.digest_seconds === null ? 'none' : `every ${shortDuration(target.digest_seconds)}`,
          ],
          ['Last sent', <Time key="sent" at={target.last_sent_at} />],
        ]}
      />
      <div class="actions">
        <Button onClick={() => void test()} isBusy={testing.isBusy} reason={refusal}>
          Send a test message
        </Button>
        {target.dead === 0 ? null : (
          <Button onClick={() => void redrive()} isBusy={redriving.isBusy} reason={refusal}>
            Send {counted(target.dead, 'given-up message')} again
          </Button>
        )}
      </div>
      {message === null ? null : <Banner tone={message.isGood ? 'green' : 'red'}>{message.text}</Banner>}
      <ErrorState tried="Sending a test message" problem={testing.problem} />
      <ErrorState tried="Sending again" problem={redriving.problem} />
    </li>
  );
}
