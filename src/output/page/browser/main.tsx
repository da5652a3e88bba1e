import { render } from 'preact';
import { setNotation } from '../../components/numbers.ts';
import { showOnlyPrintableText } from '../../components/safe-text.ts';
import { fromPageData } from '../page-data.ts';
import { aroundReportHosts } from '../report/surroundings.ts';
import { Explorer } from './explorer.tsx';

setNotation('en');
showOnlyPrintableText();
const root = document.getElementById('explorer');
const text = document.getElementById('plan-data')?.textContent;
if (root !== null && typeof text === 'string') {
  const { hosts, problems } = fromPageData(text);
  root.replaceChildren();
  render(<Explorer hosts={hosts} around={aroundReportHosts(problems)} />, root);
}
