import { Page } from '../../parts/page.tsx';

export function Host() {
  return <Page title="Host">{null}</Page>;
}
