import { Page } from '../../parts/page.tsx';

export function Rollouts() {
  return <Page title="Rollouts">{null}</Page>;
}
