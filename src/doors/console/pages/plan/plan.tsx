import { Page } from '../../parts/page.tsx';

export function Plan() {
  return <Page title="Plan">{null}</Page>;
}
