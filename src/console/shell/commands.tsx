import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { useAddress } from '../browser/address.ts';
import { useKeys } from '../browser/keys.ts';
import { chooseRow, focusRow } from '../browser/row-focus.ts';
import { Dialog } from '../parts/dialog.tsx';
import { navigation } from './navigation.ts';
import type { Palette } from './palette.tsx';

export const isPaletteOpen = signal(false);
const isHelpOpen = signal(false);

/** What the keyboard does on every page. */
export function KeyboardCommands() {
  const { go } = useAddress();
  const [loaded, setLoaded] = useState<{ readonly Palette: typeof Palette } | null>(null);
  useKeys({
    ...Object.fromEntries(navigation.map(({ key, href }) => [`g ${key}`, () => go(href)])),
    j: () => focusRow(1),
    k: () => focusRow(-1),
    x: () => chooseRow(),
    '/': (event) => {
      const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
      event.preventDefault();
      if (field === null) isPaletteOpen.value = true;
      else field.focus();
    },
    '?': () => {
      isHelpOpen.value = true;
    },
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (document.querySelector('dialog[open]') === null) isPaletteOpen.value = true;
      }
      if (event.key === 'Escape' && isSearch(event.target))
        document.getElementById('main')?.focus({ preventScroll: true });
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const isWanted = isPaletteOpen.value;
  useEffect(() => {
    if (isWanted && loaded === null) void import('./palette.tsx').then(setLoaded);
  }, [isWanted, loaded]);
  return (
    <>
      {isWanted && loaded !== null ? (
        <loaded.Palette
          onHelp={() => {
            isPaletteOpen.value = false;
            isHelpOpen.value = true;
          }}
          onClose={() => {
            isPaletteOpen.value = false;
          }}
        />
      ) : null}
      {isHelpOpen.value ? (
        <HelpDialog
          onClose={() => {
            isHelpOpen.value = false;
          }}
        />
      ) : null}
    </>
  );
}

function isSearch(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === 'search';
}

const keys: readonly (readonly [readonly string[], string])[] = [
  [['Ctrl', 'K'], 'Search accounts, hosts and commands'],
  [['/'], 'Search on this page'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['x'], 'Select the row, if rows have a checkbox'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close a dialog, or leave a search field'],
  [['?'], 'Show this list'],
  ...navigation.map(({ title, key }) => [['g', key], `Go to ${title}`] as const),
];

/** The keys of the console. */
function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {keys.map(([combination, text]) => (
          <div key={text}>
            <dt>
              {combination.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
