/** What a person enters to connect the first account. */
export interface FirstAccount {
  readonly name: string;
  readonly companyId: string;
  readonly baseUrl: string;
}

export const exampleAccount: FirstAccount = {
  name: 'contoso',
  companyId: '1234567890',
  baseUrl: 'https://remote.example.com',
};

/** What is wrong with each value; empty if nothing is. */
export function accountProblems(account: FirstAccount): Partial<Record<keyof FirstAccount, string>> {
  return {
    ...(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(account.name)
      ? {}
      : { name: 'Use lower-case letters, digits and hyphens.' }),
    ...(/^-?\d{1,19}$/.test(account.companyId) ? {} : { companyId: 'A company id has only digits.' }),
    ...(isWebAddress(account.baseUrl) ? {} : { baseUrl: 'Start with https://.' }),
  };
}

/** The account's key is read from this variable, which never appears in a file. */
export function keyVariable({ name }: FirstAccount): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_PSK`;
}

/** The text of `rampart.config.yaml`. */
export function configText(account: FirstAccount): string {
  return [
    'accounts:',
    `  ${account.name}:`,
    `    companyId: ${account.companyId}`,
    `    baseUrl: ${account.baseUrl}`,
    `    key: { variable: ${keyVariable(account)} }`,
    '    files: [fleet.yaml]',
    '    mode: observe',
    '',
  ].join('\n');
}

/** The smallest desired state: it asks for nothing, so a check only reads. */
export const fleetText = 'version: 1\n';

function isWebAddress(text: string): boolean {
  try {
    return ['https:', 'http:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
