import { Page } from '../../parts/page.tsx';

export function Audit() {
  return <Page title="Audit">{null}</Page>;
}
