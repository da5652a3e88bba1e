import '../output/components/style/tokens.css';
import '../output/components/style/base.css';
import '../output/components/style/parts.css';
import '../output/components/style/tables.css';
import './style/parts.css';
import './style/shell.css';
import { render } from 'preact';
import { showOnlyPrintableText } from '../output/components/safe-text.ts';
import { keepFocus } from './browser/keep-focus.ts';
import { App } from './shell/app.tsx';

// Addresses that are not valid text would stop the router.
try {
  decodeURIComponent(location.pathname);
} catch {
  history.replaceState(null, '', '/not-found');
}

showOnlyPrintableText();
keepFocus();
const root = document.querySelector('#console');
if (root !== null) render(<App />, root);
