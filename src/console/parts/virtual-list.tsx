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
export function useVirtualRows(count: number, height: number): VirtualRows {
  const [, update] = useReducer<number, void>((sofar) => sofar + 1, 0);
  const frame = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  // A new function would make the virtualizer compute all rows again at every scroll.
  const [estimateSize] = useState(() => () => height);
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count,
    getScrollElement: () => window,
    estimateSize,
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
  useLayoutEffect(() => virtualizer._willUpdate());
  const isShown = count > 0;
  useLayoutEffect(() => {
    if (!isShown) return;
    // What is above the list may change its height at any time, for example a banner.
    const look = () => {
      const top = (frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
      setMargin((before) => (Math.abs(top - before) > 1 ? top : before));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isShown]);
  return { virtualizer, frame };
}
