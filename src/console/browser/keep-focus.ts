/**
 * Keeps the focus in view, and near where it was when the element that has it disappears, for example the button of an act
 * that is done. Otherwise the browser leaves it behind what floats over the page, or gives it to the body, and a reader with
 * a keyboard or a screen reader starts again.
 */
export function keepFocus(): void {
  let around: readonly Node[] = [];
  document.addEventListener('focusin', ({ target }) => {
    const focused = target as HTMLElement;
    // After a click, the page must not move under the pointer.
    if (focused.matches('a:focus-visible, button:focus-visible, summary:focus-visible'))
      focused.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    around = [];
    for (let each: Node | null = focused; each !== null; each = each.parentNode) around = [...around, each];
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body || around[0]?.isConnected !== false) return;
    const kept = around.find((each) => each.isConnected);
    const near = kept instanceof Element ? kept.closest<HTMLElement>('[tabindex]') : null;
    (near ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }).observe(document, { childList: true, subtree: true });
}
