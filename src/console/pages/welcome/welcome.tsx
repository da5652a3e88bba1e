import type { ComponentChildren } from 'preact';
import { CopyText } from '../../parts/copy-text.tsx';
import { Page } from '../../parts/page.tsx';
import { FirstCheck } from './first-check.tsx';
import './welcome.css';

/** An account that only reads. Its key is in a variable, which never appears in a file. */
const config = `accounts:
  contoso:
    companyId: '1234567890'
    baseUrl: https://remote.example.com
    key: { variable: CONTOSO_PSK }
    files: [fleet.yaml]
    mode: observe
`;

type WelcomeStep = readonly [title: string, text: string, copied: string, children?: ComponentChildren];

const steps: readonly WelcomeStep[] = [
  [
    'Add your account to rampart.config.yaml',
    'Replace the name, the company ID and the address. Mode "observe" never changes anything.',
    config,
  ],
  [
    'Create fleet.yaml next to it',
    'This is the desired state. This one is empty, so a check only reads.',
    'version: 1\n',
  ],
  [
    'Set the key',
    'The key stays in the environment of the server. It never appears in a file, in the database or in this console. This command reads it without showing it:',
    'read -rs CONTOSO_PSK && export CONTOSO_PSK',
  ],
  [
    'Check the account from the command line',
    'The command reports whether the address, the company ID and the key work, and how to fix them.',
    'rampart accounts check',
  ],
  [
    'Start the server again',
    'This page reconnects automatically and shows the first check here.',
    'rampart server',
    <FirstCheck key="check" />,
  ],
];

/** The first visit: from nothing to a check that only reads. */
export function Welcome() {
  return (
    <Page
      title="Connect your first account"
      class="welcome"
      below={<p>Five steps to a first check. A check sends only reads: nothing in your fleet changes.</p>}
    >
      <ol class="steps">
        {steps.map(([title, text, copied, children]) => (
          <li key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
            <CopyText text={copied} label={`Copy: ${title}`} />
            {children}
          </li>
        ))}
      </ol>
    </Page>
  );
}
