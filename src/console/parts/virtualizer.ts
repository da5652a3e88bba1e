import { measureElement, Virtualizer, type VirtualizerOptions } from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

type GivenOptions<Box extends Window | Element> = Omit<
  VirtualizerOptions<Box, HTMLElement>,
  'measureElement' | 'onChange'
>;

/** The rows in view of a box that scrolls. Their height is measured. */
export function useVirtualizer<Box extends Window | Element>(
  given: GivenOptions<Box>,
): Virtualizer<Box, HTMLElement> {
  const [, update] = useReducer<number, void>((sofar) => sofar + 1, 0);
  const options = { ...given, measureElement, onChange: () => update() };
  const [virtualizer] = useState(() => new Virtualizer<Box, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
