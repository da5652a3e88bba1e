import { useAddress } from '../../browser/address.ts';
import { type ChangeParts, type ChangeStep, changeSteps, currentStep, type StepName } from './change-step.ts';

const marks: Readonly<Record<ChangeStep['state'], { readonly glyph: string; readonly word: string }>> = {
  done: { glyph: '✓', word: 'done' },
  now: { glyph: '▶', word: 'now' },
  next: { glyph: '○', word: 'not yet' },
  trouble: { glyph: '!', word: 'needs attention' },
};

/** The steps of a change in one strip. Each opens below it, and has an address. */
export function ChangeSteps({ plan, run, open }: ChangeParts & { readonly open: StepName }) {
  const address = useAddress();
  const current = currentStep({ plan, run });
  const isHeld = open !== current && address.get('step') === '';
  return (
    <nav class="change-steps" aria-label="Steps of the change">
      <ol>
        {changeSteps({ plan, run }).map(({ name, title, note, state }) => (
          <li key={name} class={state}>
            <a
              href={address.with({ step: name === current && !isHeld ? null : name })}
              aria-current={name === open ? 'step' : undefined}
            >
              <span class="step-title">
                <span class="glyph" aria-hidden="true">
                  {marks[state].glyph}
                </span>
                {title} <span class="unseen">({marks[state].word})</span>
              </span>
              <span class="fine">{note}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
