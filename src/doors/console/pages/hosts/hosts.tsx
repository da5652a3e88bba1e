import { Page } from '../../parts/page.tsx';

export function Hosts() {
  return <Page title="Hosts">{null}</Page>;
}
