import { Page } from '../../parts/page.tsx';

export function Rollout() {
  return <Page title="Rollout">{null}</Page>;
}
