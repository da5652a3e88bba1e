import { Page } from '../../parts/page.tsx';

export function Run() {
  return <Page title="Run">{null}</Page>;
}
