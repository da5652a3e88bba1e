import { consoleAddress } from '../browser/address.ts';

/** A page of the main navigation, and the key that goes there after `g`. */
interface NavigationItem {
  readonly title: string;
  readonly href: string;
  readonly key: string;
  readonly isHere: (path: string) => boolean;
}

const below = (start: string) => (path: string) => path === start || path.startsWith(`${start}/`);

export const navigation: readonly NavigationItem[] = [
  {
    title: 'Overview',
    href: consoleAddress.overview(),
    key: 'o',
    isHere: (path) => path === '/' || path === consoleAddress.causes(),
  },
  { title: 'Accounts', href: consoleAddress.accounts(), key: 'a', isHere: below('/accounts') },
  {
    title: 'Hosts',
    href: consoleAddress.hosts(),
    key: 'h',
    isHere: (path) => below('/hosts')(path) || path === '/propose',
  },
  { title: 'Approvals', href: consoleAddress.approvals(), key: 'p', isHere: below('/approvals') },
  { title: 'Rollouts', href: consoleAddress.rollouts(), key: 'r', isHere: below('/rollouts') },
  { title: 'Audit', href: consoleAddress.audit(), key: 'u', isHere: below('/audit') },
  { title: 'Settings', href: consoleAddress.settings(), key: 's', isHere: below('/settings') },
];
