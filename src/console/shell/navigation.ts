import { pageOf } from '../browser/address.ts';

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
    href: pageOf.overview(),
    key: 'o',
    isHere: (path) => path === '/' || path === pageOf.causes(),
  },
  { title: 'Accounts', href: pageOf.accounts(), key: 'a', isHere: below('/accounts') },
  {
    title: 'Hosts',
    href: pageOf.hosts(),
    key: 'h',
    isHere: (path) => below('/hosts')(path) || path === '/propose',
  },
  { title: 'Approvals', href: pageOf.approvals(), key: 'p', isHere: below('/approvals') },
  { title: 'Rollouts', href: pageOf.rollouts(), key: 'r', isHere: below('/rollouts') },
  { title: 'Audit', href: pageOf.audit(), key: 'u', isHere: below('/audit') },
  { title: 'Settings', href: pageOf.settings(), key: 's', isHere: below('/settings') },
];
