import type { ComponentChildren } from 'preact';
import { Field } from '../../../output/components/field.tsx';
import { useDraft } from '../../browser/draft.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Page } from '../../parts/page.tsx';
import { accountProblems, configText, exampleAccount, fleetText, keyVariable } from './config-text.ts';
import { FirstCheck } from './first-check.tsx';
import './welcome.css';

/** The first visit: from nothing to a check that only reads. */
export function Welcome() {
  const [name, setName] = useDraft('welcome.name', exampleAccount.name);
  const [companyId, setCompanyId] = useDraft('welcome.company', exampleAccount.companyId);
  const [baseUrl, setBaseUrl] = useDraft('welcome.address', exampleAccount.baseUrl);
  const account = { name, companyId, baseUrl };
  const problems = accountProblems(account);
  const isComplete = Object.keys(problems).length === 0;
  const variable = keyVariable(account);
  return (
    <Page
      title="Connect your first account"
      class="welcome"
      below={<p>Five steps to a first check. A check sends only reads: nothing in your fleet changes.</p>}
    >
      <ol class="steps">
        <Step title="Describe the account">
          <div class="welcome-fields">
            <Field
              label="Name"
              value={name}
              onInput={setName}
              problem={problems.name ?? null}
              hint="The console and commands show it."
            />
            <Field
              label="Company id"
              value={companyId}
              onInput={setCompanyId}
              inputMode="numeric"
              problem={problems.companyId ?? null}
              hint="From the API settings of the account."
            />
            <Field
              label="Address of the service"
              value={baseUrl}
              onInput={setBaseUrl}
              problem={problems.baseUrl ?? null}
            />
          </div>
        </Step>
        <Step title="Write two files beside each other">
          {isComplete ? (
            <>
              <p>
                <code>rampart.config.yaml</code> lists the accounts. Mode <code>observe</code> never changes
                anything.
              </p>
              <CopyText text={configText(account)} label="Copy rampart.config.yaml" />
              <p>
                <code>fleet.yaml</code> is the desired state. This one asks for nothing yet.
              </p>
              <CopyText text={fleetText} label="Copy fleet.yaml" />
            </>
          ) : (
            <p class="dim">Complete the first step, and the files appear here.</p>
          )}
        </Step>
        <Step title="Give the key">
          <p>
            The key stays in the environment of the server. It never appears in a file, in the database or in
            this console. This command reads it without showing it:
          </p>
          <CopyText
            text={`read -rs ${variable} && export ${variable}`}
            label="Copy the command that reads the key"
          />
        </Step>
        <Step title="Check the account from the command line">
          <p>It says whether the address, the company id and the key work, and what to change if not.</p>
          <CopyText text="rampart accounts check" label="Copy the check command" />
        </Step>
        <Step title="Start the server again">
          <p>This page stays open, connects again by itself, and shows the first check here.</p>
          <CopyText text="rampart server" label="Copy the server command" />
          <FirstCheck />
        </Step>
      </ol>
    </Page>
  );
}

function Step({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <li class="step">
      <h2>{title}</h2>
      {children}
    </li>
  );
}
