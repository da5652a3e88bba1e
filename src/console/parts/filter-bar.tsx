import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '../../output/components/style/review.css';

/** The filters of a list. On a phone they are collapsed, so that the first row is on the first screen. */
export function FilterBar({
  chosen,
  children,
}: {
  /** How many filters are set. */
  readonly chosen: number;
  readonly children: ComponentChildren;
}) {
  const isWide = useWideWindow('44rem');
  const fields = (
    <div class="filters" role="search">
      {children}
    </div>
  );
  if (isWide) return fields;
  return (
    <details class="filter-fold">
      <summary>Filters{chosen === 0 ? '' : ` (${chosen})`}</summary>
      {fields}
    </details>
  );
}

/** Whether the window is wider than this. */
export function useWideWindow(width: string): boolean {
  const [query] = useState(() => window.matchMedia(`(width > ${width})`));
  const [isWide, setWide] = useState(query.matches);
  useEffect(() => {
    const listen = () => setWide(query.matches);
    query.addEventListener('change', listen);
    return () => query.removeEventListener('change', listen);
  }, [query]);
  return isWide;
}
