import { Dialog } from '../parts/dialog.tsx';
import { KeyCap } from '../parts/key.tsx';
import { navigation } from './navigation.ts';

const keys: readonly (readonly [readonly string[], string])[] = [
  [['Ctrl', 'K'], 'Search accounts, hosts and commands'],
  [['/'], 'Search on this page'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['x'], 'Choose the row, where rows have a box'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close a dialog, or leave a search field'],
  [['?'], 'Show this list'],
  ...navigation.map(({ title, key }) => [['g', key], `Go to ${title}`] as const),
];

/** The keys of the console. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {keys.map(([combination, text]) => (
          <div key={text}>
            <dt>
              {combination.map((key) => (
                <KeyCap key={key}>{key}</KeyCap>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
