import type { Health, WaitingFor } from '../../api/accounts.ts';
import { healthMark, type Mark } from '../words/health.ts';

/** A state as glyph, word and hue. */
export function StateMark({ mark, isQuiet }: { readonly mark: Mark; readonly isQuiet?: boolean }) {
  return (
    <span class={`mark ${mark.tone}${isQuiet === true ? ' quiet' : ''}`}>
      <span class="glyph" aria-hidden="true">
        {mark.glyph}
      </span>
      {mark.word}
    </span>
  );
}

/** The health of an account. Null: no check has read it yet. */
export function HealthMark({
  health,
  waitingFor = null,
}: {
  readonly health: Health | null;
  readonly waitingFor?: WaitingFor | null;
}) {
  return <StateMark mark={healthMark(health, waitingFor)} />;
}
