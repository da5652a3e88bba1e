import { yamlText } from '../../../input/writing/yaml-text.ts';
import type { Answers } from './init-answers.ts';

/** rampart.config.yaml: it names the locations of secrets, and never contains one. */
export function printConfiguration({ profile, baseUrl, companyId, pskVariable, pskFile }: Answers): string {
  const head = '# Accounts, for rampart plan --profile NAME. Do not write secrets here.\n';
  if (baseUrl === null || companyId === null) return `${head}${emulatedOnly}`;
  const secret = pskFile === undefined ? `pskVariable: ${pskVariable}` : `pskFile: ${yamlText(pskFile)}`;
  return `${head}profiles:
  ${yamlText(profile)}:
    baseUrl: ${yamlText(baseUrl)}
    companyId: ${companyId}
    ${secret}
`;
}

const emulatedOnly = `#
#   main:
#     baseUrl: https://remote.example.com
#     companyId: 1234567890
#     pskVariable: RAMPART_PSK          # the name of a variable, or pskFile: the path of a file
profiles: {}
`;
