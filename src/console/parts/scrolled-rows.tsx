import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

type BoxVirtualizer = Virtualizer<HTMLDivElement, HTMLElement>;

/** The rows in view of a box that scrolls by itself. Their height is measured. */
export function useScrolledRows(
  box: { readonly current: HTMLDivElement | null },
  count: number,
  height: number,
): { readonly virtualizer: BoxVirtualizer; readonly items: readonly VirtualItem[]; readonly height: number } {
  const [, update] = useReducer<number, void>((sofar) => sofar + 1, 0);
  const options: VirtualizerOptions<HTMLDivElement, HTMLElement> = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    measureElement,
    overscan: 10,
    onChange: () => update(),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return { virtualizer, items: virtualizer.getVirtualItems(), height: virtualizer.getTotalSize() };
}
