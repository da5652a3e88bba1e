import type { Mark } from '../words/health.ts';

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
