import { printable } from '../../../core/lib/printable.ts';
import { TextField } from '../../../output/components/field.tsx';
import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { announce } from '../../browser/announce.ts';
import { forgetDrafts, useDraft } from '../../browser/draft.ts';
import { submits } from '../../browser/submit.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { TimeLine } from '../../parts/time-line.tsx';
import { decisionMark } from '../../words/state-marks.ts';
import type { PlanPartProps } from './change-step.ts';

/** What people decided and wrote about a change, oldest first. */
export function ChangeComments({ plan, onChange }: PlanPartProps) {
  const decisions = plan.approvals.map(({ by, at, decision, comment = null }) => ({
    key: `${by.kind} ${by.id}`,
    at,
    text: decision === 'approved' ? 'Approved' : 'Rejected',
    quote: comment,
    mark: decisionMark(decision),
    by: by.name,
  }));
  const comments = plan.comments.map(({ by, at, text }) => ({
    key: `${by.id} ${at}`,
    at,
    text: <bdi class="comment-text">{text.split('\n').map(printable).join('\n')}</bdi>,
    mark: commentMark,
    by: by.name,
  }));
  const all = [...decisions, ...comments].toSorted((a, b) => a.at.localeCompare(b.at));
  return (
    <Section title="Decisions and comments" count={all.length === 0 ? undefined : figure(all.length)}>
      {all.length === 0 ? (
        <p class="dim">None yet. Reviewers and the author see them here.</p>
      ) : (
        <TimeLine happenings={all} />
      )}
      {maySomewhere('comment') ? <CommentForm plan={plan} onChange={onChange} /> : null}
    </Section>
  );
}

const commentMark = { word: 'comment', glyph: '…', tone: 'dim' } as const;

function CommentForm({ plan, onChange }: PlanPartProps) {
  const name = `plan.${plan.id}.new-comment`;
  const [text, setText] = useDraft(name);
  const sending = useAction('POST', pathOf`/plans/${plan.id}/comments`);
  const send = async () => {
    const answer = await sending.run({ text: text.trim() });
    if (answer?.ok !== true) return;
    forgetDrafts(name);
    setText('');
    announce('Your comment is added.');
    onChange();
  };
  return (
    <form class="form comment-form" onSubmit={submits(text.trim() !== '', send)}>
      <TextField label="Add a comment" lines={3} value={text} onInput={setText} maxLength={2_000} />
      <div class="actions">
        <Button
          type="submit"
          isBusy={sending.isBusy}
          reason={text.trim() === '' ? 'Enter a comment first.' : null}
        >
          Comment
        </Button>
      </div>
      <ErrorState tried="Sending the comment" problem={sending.problem} />
    </form>
  );
}
