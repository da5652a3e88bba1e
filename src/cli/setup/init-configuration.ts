import { yamlText } from '../../input/writing/yaml-text.ts';
import type { Answers } from './init-answers.ts';

/** rampart.config.yaml: it names the locations of secrets, and never contains one. */
export function printConfiguration({ account, baseUrl, companyId, pskVariable, pskFile }: Answers): string {
  const head = '# Accounts, for rampart plan --account NAME. Do not write secrets here.\n';
  if (baseUrl === null || companyId === null) return `${head}${emulatedOnly}`;
  const secret =
    pskFile === undefined
      ? `{ variable: ${pskVariable} }    # in the file that ${pskVariable}_FILE names, or in ${pskVariable}`
      : `{ file: ${yamlText(pskFile)} }`;
  return `${head}accounts:
  ${yamlText(account)}:
    baseUrl: ${yamlText(baseUrl)}
    companyId: '${companyId}'
    key: ${secret}
`;
}

const emulatedOnly = `#
#   main:
#     baseUrl: https://remote.example.com
#     companyId: '1234567890'
#     key: { variable: RAMPART_PSK }    # in the file that RAMPART_PSK_FILE names, or in RAMPART_PSK
accounts: {}
`;
