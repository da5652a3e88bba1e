import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AccountRow } from '../../api/accounts.ts';
import type { HostListRow } from '../../api/hosts.ts';
import { Name } from '../../output/components/text.tsx';
import { consoleAddress, useAddress } from '../browser/address.ts';
import { density, type Theme, theme } from '../browser/preferences.ts';
import { read } from '../data/api.ts';
import type { PageBody } from '../data/page-store.ts';
import { Dialog } from '../parts/dialog.tsx';
import { StateMark } from '../parts/mark.tsx';
import { healthMark } from '../words/health.ts';
import { navigation } from './navigation.ts';

interface Entry {
  readonly key: string;
  readonly kind: string;
  readonly text: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly act: () => void;
}

const pause = 150;
const most = 6;

/** Search over pages, commands, accounts and hosts. */
export function Palette({ onClose, onHelp }: { readonly onClose: () => void; readonly onHelp: () => void }) {
  const { go } = useAddress();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = useFound(text.trim());
  const list = useRef<HTMLDivElement>(null);
  const sought = text.trim().toLowerCase();
  const entries: readonly Entry[] = [
    ...found.accounts.map((account) => ({
      key: `account ${account.name}`,
      kind: 'Account',
      text: <Name name={account.name} />,
      note: <StateMark mark={healthMark(account.health)} />,
      act: () => go(consoleAddress.account(account.name)),
    })),
    ...found.hosts.map((host) => ({
      key: `host ${host.account} ${host.host_id}`,
      kind: 'Host',
      text: <Name name={host.name} />,
      note: <Name name={host.account} />,
      act: () => go(consoleAddress.host(host.account, host.host_id)),
    })),
    ...pagesAndCommands(go, onHelp).filter(({ title }) => title.toLowerCase().includes(sought)),
  ];
  const current = Math.min(chosen, entries.length - 1);
  const act = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.act();
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <Dialog title="Search" kind="palette" onClose={onClose}>
      <input
        class="palette-field"
        type="text"
        role="combobox"
        aria-label="Search accounts, hosts and commands"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${current}`}
        placeholder="Search accounts, hosts and commands"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (step !== 0 && entries.length > 0) {
            event.preventDefault();
            setChosen((current + step + entries.length) % entries.length);
          }
          if (event.key === 'Enter') {
            event.preventDefault();
            act(entries[current]);
          }
        }}
      />
      <div id="palette-list" class="palette-list" role="listbox" aria-label="Results" ref={list}>
        {entries.map((entry, index) => (
          <div
            key={entry.key}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === current}
            class="palette-entry"
            onPointerMove={() => setChosen(index)}
            onClick={() => act(entry)}
          >
            <span class="fine">{entry.kind}</span>
            <span class="palette-text">{entry.text}</span>
            <span class="fine palette-note">{entry.note}</span>
          </div>
        ))}
      </div>
      {entries.length === 0 ? (
        <p class="palette-none" role="status">
          Nothing matches. A search for hosts needs at least two characters.
        </p>
      ) : null}
    </Dialog>
  );
}

interface Command extends Entry {
  readonly title: string;
}

function pagesAndCommands(go: (address: string) => void, onHelp: () => void): readonly Command[] {
  const command = (kind: string, title: string, act: () => void, note?: ComponentChildren): Command => ({
    key: title,
    kind,
    title,
    text: title,
    note,
    act,
  });
  const useTheme = (value: Theme) => () => {
    theme.value = value;
  };
  return [
    ...navigation.map(({ title, href, key }) =>
      command(
        'Page',
        title,
        () => go(href),
        <>
          <kbd>g</kbd> <kbd>{key}</kbd>
        </>,
      ),
    ),
    command('Theme', 'Use the light theme', useTheme('light')),
    command('Theme', 'Use the dark theme', useTheme('dark')),
    command('Theme', 'Use the theme of the system', useTheme('system')),
    command('Density', density.value === 'compact' ? 'Show comfortable rows' : 'Show compact rows', () => {
      density.value = density.value === 'compact' ? 'comfortable' : 'compact';
    }),
    command('Help', 'Show the keys', onHelp, <kbd>?</kbd>),
  ];
}

interface Found {
  readonly accounts: readonly AccountRow[];
  readonly hosts: readonly HostListRow[];
}

const nothing: Found = { accounts: [], hosts: [] };

/**
 * Accounts whose name contains the text, and hosts that a search finds. The last result is shown until the next one.
 */
function useFound(text: string): Found {
  const [found, setFound] = useState<Found>(nothing);
  useEffect(() => {
    if (text === '') {
      setFound(nothing);
      return;
    }
    const controller = new AbortController();
    const look = async () => {
      const query = { q: text, limit: most };
      const [accounts, hosts] = await Promise.all([
        read<PageBody<AccountRow>>('/accounts', query, controller.signal),
        text.length < 2 ? null : read<PageBody<HostListRow>>('/hosts', query, controller.signal),
      ]);
      if (controller.signal.aborted) return;
      setFound({
        accounts: accounts.ok ? accounts.value.items : [],
        hosts: hosts?.ok === true ? hosts.value.items : [],
      });
    };
    const timer = setTimeout(() => void look(), pause);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return found;
}
