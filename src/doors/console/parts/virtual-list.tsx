import {
  measureElement,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

type WindowVirtualizer = Virtualizer<Window, HTMLElement>;

export interface VirtualRows {
  readonly virtualizer: WindowVirtualizer;
  /** The element that is as high as all rows. */
  readonly frame: { readonly current: HTMLDivElement | null };
}

/** The rows that are in view while the whole page scrolls. Their height is measured. */
export function useVirtualRows(count: number, keyOf: (index: number) => string, height: number): VirtualRows {
  const [, update] = useReducer<number, void>((sofar) => sofar + 1, 0);
  const frame = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count,
    getScrollElement: () => window,
    estimateSize: () => height,
    getItemKey: keyOf,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    measureElement,
    scrollMargin: margin,
    overscan: 8,
    initialOffset: () => window.scrollY,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    onChange: () => update(),
  };
  const [virtualizer] = useState(() => new Virtualizer<Window, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
    const top = frame.current === null ? 0 : frame.current.getBoundingClientRect().top + window.scrollY;
    if (Math.abs(top - margin) > 1) setMargin(top);
  });
  return { virtualizer, frame };
}
