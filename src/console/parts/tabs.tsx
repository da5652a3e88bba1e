import { useLayoutEffect, useRef } from 'preact/hooks';
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
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const here = nav.current?.querySelector('[aria-current]');
    here?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={nav} class="tabs" aria-label={label}>
      {tabs.map(({ key, title, href, count }) => (
        <a key={key} href={href} aria-current={key === current ? 'page' : undefined}>
          {title}
          {count === undefined || count === null ? null : <span class="tab-count">{figure(count)}</span>}
        </a>
      ))}
    </nav>
  );
}
