import type { PlanDetail } from '../../../api/plans.ts';
import { printable } from '../../../core/lib/printable.ts';
import { Field } from '../../../output/components/field.tsx';
import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Name } from '../../../output/components/text.tsx';
import { announce } from '../../browser/announce.ts';
import { forgetDrafts, useDraft } from '../../browser/draft.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';

/** What people wrote about a plan, oldest first. */
export function Comments({ plan, onChange }: { readonly plan: PlanDetail; readonly onChange: () => void }) {
  return (
    <Section title="Comments" count={plan.comments.length === 0 ? undefined : figure(plan.comments.length)}>
      {plan.comments.length === 0 ? (
        <p class="dim">No comments yet. Reviewers and the author see them here.</p>
      ) : (
        <ol class="comments">
          {plan.comments.map(({ by, at, text }) => (
            <li key={`${by.id} ${at}`}>
              <p class="comment-head">
                <strong>
                  <Name name={by.name} />
                </strong>{' '}
                <span class="dim">
                  <Time at={at} />
                </span>
              </p>
              <p class="comment-text">
                <bdi>{text.split('\n').map(printable).join('\n')}</bdi>
              </p>
            </li>
          ))}
        </ol>
      )}
      {maySomewhere('comment') ? <CommentForm plan={plan} onChange={onChange} /> : null}
    </Section>
  );
}

function CommentForm({ plan, onChange }: { readonly plan: PlanDetail; readonly onChange: () => void }) {
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
    <form
      class="form comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void send();
      }}
    >
      <Field label="Add a comment" lines={3} value={text} onInput={setText} maxLength={2_000} />
      <div class="actions">
        <Button
          type="submit"
          isBusy={sending.isBusy}
          reason={text.trim() === '' ? 'Write something first.' : null}
        >
          Comment
        </Button>
      </div>
      {sending.problem === null ? null : <ErrorState tried="Sending the comment" problem={sending.problem} />}
    </form>
  );
}
