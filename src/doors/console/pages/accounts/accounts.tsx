import { Page } from '../../parts/page.tsx';

export function Accounts() {
  return <Page title="Accounts">{null}</Page>;
}
