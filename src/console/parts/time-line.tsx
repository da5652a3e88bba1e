import type { ComponentChildren } from 'preact';
import { Name } from '../../output/components/text.tsx';
import { authorParts } from '../words/author.ts';
import type { Mark } from '../words/health.ts';
import { StateMark } from './mark.tsx';
import './time-line.css';
import { Time } from './time.tsx';

interface Happening {
  readonly key: string;
  readonly at: string;
  readonly text: ComponentChildren;
  readonly mark: Mark;
  readonly by: string | null;
  /** What a person wrote about it. */
  readonly quote?: string | null;
}

/** What happened, in the order given. */
export function TimeLine({ happenings }: { readonly happenings: readonly Happening[] }) {
  return (
    <ol class="card time-line">
      {happenings.map(({ key, at, text, mark, by, quote = null }) => (
        <li key={key} data-row>
          <span class="time-line-text">{text}</span>
          {quote === null || quote === '' ? null : <q class="time-line-quote">{quote}</q>}
          <span class="dotted fine time-line-note">
            <StateMark mark={mark} isQuiet />
            <Time at={at} />
            {by === null ? null : (
              <span>
                by <Name name={authorParts(by).name} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
