import type { TargetedFocusEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Choice } from '../../output/components/field.tsx';
import { atLeast } from '../../output/components/numbers.ts';
import { Name } from '../../output/components/text.tsx';
import { consoleAddress, useAddress } from '../browser/address.ts';
import { type Density, densities, density, type Theme, theme, themes } from '../browser/preferences.ts';
import { signedIn } from '../data/api.ts';
import { useOverview } from '../data/overview.ts';
import { Button } from '../parts/button.tsx';
import { isPaletteOpen } from './commands.tsx';
import { navigation } from './navigation.ts';

/** The head of every page: where to go, the search over all, and who is signed in. */
export function Header() {
  const { path } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const overview = useOverview().value;
  const waiting = overview?.waiting.filter((plan) => plan.may_approve.allowed).length ?? 0;
  useEffect(() => setOpen(false), [path]);
  return (
    <header class="top" {...closing(isOpen, () => setOpen(false))}>
      <div class="top-inside">
        <a class="brand" href={consoleAddress.overview()}>
          Rampart
        </a>
        <div class="menu-button">
          <Button kind="quiet" isExpanded={isOpen} controls="navigation" onClick={() => setOpen(!isOpen)}>
            <span aria-hidden="true">☰</span> Menu
          </Button>
        </div>
        <div id="navigation" class={isOpen ? 'navigation open' : 'navigation'}>
          <nav aria-label="Main">
            {navigation.map(({ title, href, isHere }) => (
              <a key={href} href={href} aria-current={isHere(path) ? 'page' : undefined}>
                {title}{' '}
                {href === consoleAddress.approvals() && waiting > 0 ? (
                  <span class="badge">
                    {atLeast(waiting, overview?.more.waiting === true)}
                    <span class="unseen"> waiting for you</span>
                  </span>
                ) : null}
              </a>
            ))}
          </nav>
          <div class="top-end">
            <Button
              keys="Control+K Meta+K"
              onClick={() => {
                isPaletteOpen.value = true;
              }}
            >
              Search <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
            </Button>
            <Person />
          </div>
        </div>
      </div>
    </header>
  );
}

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

const themeTexts: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };
const densityTexts: Readonly<Record<Density, string>> = { comfortable: 'Comfortable', compact: 'Compact' };

/** Who is signed in, and how this browser shows the console. */
function Person() {
  const who = signedIn.value;
  const [isOpen, setOpen] = useState(false);
  if (who === null) return null;
  return (
    <details
      class="person"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      {...closing(isOpen, () => setOpen(false))}
    >
      <summary>
        <Name name={who.email ?? who.subject.name} />
      </summary>
      <div class="card person-menu">
        <p>
          <Name name={who.subject.name} />
          <br />
          <span class="dim">{[...new Set(who.grants.map(({ role }) => role))].join(', ') || 'no role'}</span>
        </p>
        <Choice
          label="Theme"
          value={theme.value}
          options={themes.map((value) => ({ value, text: themeTexts[value] }))}
          onChange={(value) => {
            theme.value = value;
          }}
        />
        <Choice
          label="Density"
          value={density.value}
          options={densities.map((value) => ({ value, text: densityTexts[value] }))}
          onChange={(value) => {
            density.value = value;
          }}
        />
        <p class="dim">Rampart {who.server.version}</p>
        {who.server.has_login ? <Button onClick={() => void signOut(who.csrf)}>Sign out</Button> : null}
      </div>
    </details>
  );
}

/** Closes what a button opened when the focus leaves both, or on Escape, which returns the focus to the button. */
function closing(isOpen: boolean, close: () => void) {
  return {
    onFocusOut: ({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLElement>) => {
      if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) close();
    },
    onKeyDown: (event: TargetedKeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Escape' || !isOpen) return;
      event.stopPropagation();
      close();
      event.currentTarget.querySelector<HTMLElement>('summary, [aria-expanded]')?.focus();
    },
  };
}

async function signOut(csrf: string | null): Promise<void> {
  const headers = csrf === null ? {} : { 'x-rampart-csrf': csrf };
  const answer = await fetch('/logout', { method: 'POST', headers }).catch(() => undefined);
  const body = (await answer?.json().catch(() => null)) as { readonly redirect?: string | null } | null;
  // The provider has its own session, which would sign in the same person again without asking.
  location.assign(body?.redirect ?? '/');
}
