import type { ComponentChildren } from 'preact';
import { FactList } from '../../components/section.tsx';
import type { PlanPage } from '../plan-page-data.ts';

export type BannerTone = 'red' | 'amber' | 'green';

interface PageFrameProps {
  readonly title: string;
  readonly sum: ComponentChildren;
  readonly banners: ComponentChildren;
  readonly facts: readonly (readonly [string, ComponentChildren])[];
  readonly children: ComponentChildren;
}

/** The head of a report and its main part. */
export function PageFrame({ title, sum, banners, facts, children }: PageFrameProps) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the plan
      </a>
      <header class="top">
        <div class="brand-line">
          <p class="brand">Rampart</p>
          <ThemeSwitch />
        </div>
        <h1>{title}</h1>
        <div class="verdict">{sum}</div>
        {banners}
        <FactList facts={facts} />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

export function ReportBanner({
  tone,
  children,
}: {
  readonly tone: BannerTone;
  readonly children: ComponentChildren;
}) {
  return (
    <p class={`banner ${tone}`}>
      <span class="glyph" aria-hidden="true">
        {{ red: '▲', amber: '◆', green: '●' }[tone]}
      </span>
      <span class="banner-text">{children}</span>
    </p>
  );
}

/** Works without a script: the style sheet asks which one is selected. */
function ThemeSwitch() {
  return (
    <fieldset class="theme">
      <legend class="unseen">Theme</legend>
      {(['Auto', 'Light', 'Dark'] as const).map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="theme"
            id={`theme-${name.toLowerCase()}`}
            defaultChecked={name === 'Auto'}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Links to the parts of a long page. */
export function LinkList({ page }: { readonly page: Pick<PlanPage, 'links'> }) {
  if (page.links.length < 2) return null;
  return (
    <nav class="menu" aria-label="Parts of the plan">
      <ul>
        {page.links.map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
