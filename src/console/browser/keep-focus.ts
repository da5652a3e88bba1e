/**
 * Keeps the focus near where it was when the element that has it disappears, for example the button of an act that is done.
 * Otherwise the browser gives it to the body, and a reader with a keyboard or a screen reader starts again.
 */
export function keepFocus(): void {
  let around: readonly Node[] = [];
  document.addEventListener('focusin', ({ target }) => {
    around = [];
    for (let each = target as Node | null; each !== null; each = each.parentNode) around = [...around, each];
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body || around[0]?.isConnected !== false) return;
    const kept = around.find((each) => each.isConnected);
    const near = kept instanceof Element ? kept.closest<HTMLElement>('[tabindex]') : null;
    (near ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }).observe(document, { childList: true, subtree: true });
}
