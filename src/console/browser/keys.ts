import { useEffect, useRef } from 'preact/hooks';

/** What a key does. Keys in a sequence are separated by a blank: `g o`. */
export type KeyHandlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const pause = 1_200;

/** Calls the handler of the pressed keys while the page shows no dialog and no field has the focus. */
export function useKeys(keys: KeyHandlers): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    let before = '';
    let since = 0;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isTyping(event) || hasDialog()) return;
      const key = event.ctrlKey || event.metaKey || event.altKey ? null : event.key;
      if (key === null) return;
      const sequence = `${event.timeStamp - since < pause ? before : ''} ${key}`.trim();
      before = key;
      since = event.timeStamp;
      const act = latest.current[sequence] ?? latest.current[key];
      if (act === undefined) return;
      before = '';
      act(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)) ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement)
  );
}

function hasDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
