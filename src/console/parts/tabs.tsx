import { figure } from '../../output/components/numbers.ts';

interface Tab {
  readonly key: string;
  readonly title: string;
  readonly href: string;
  readonly count?: number | null;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
}

/** Views of one thing, each with an address. */
export function Tabs({ label, tabs, current }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ key, title, href, count }) => (
        <a key={key} href={href} aria-current={key === current ? 'page' : undefined}>
          {title}
          {count === undefined || count === null ? null : <span class="tab-count">{figure(count)}</span>}
        </a>
      ))}
    </nav>
  );
}
