import type { AntivirusDetails, AntivirusFact } from '../../core/model/observed.ts';
import type { Color } from './color.ts';
import type { CellValue, Column } from './columns.ts';
import type { FactedHost } from './host-columns.ts';

/** The state of the vendor's anti-virus on a host: `unknown` if the list does not have the host. */
export type AntivirusState = 'installed' | 'missing' | 'unsupported' | 'unknown';

/** `missing` means that it can be installed but is not. */
export function antivirusState(fact: AntivirusFact | undefined): AntivirusState {
  if (fact === undefined) return 'unknown';
  if (fact.installed) return 'installed';
  return fact.supported ? 'missing' : 'unsupported';
}

export function threatsOf({ host }: Pick<FactedHost, 'host'>): number {
  return host.antivirus?.details?.threats ?? 0;
}

const detail =
  (name: keyof AntivirusDetails) =>
  ({ host }: FactedHost): CellValue =>
    host.antivirus?.details?.[name] ?? null;

export const antivirusColumns = {
  state: {
    key: 'antivirus',
    kind: 'fixed',
    value: ({ host }) => antivirusState(host.antivirus),
    cell: ({ host }, color) => {
      const state = antivirusState(host.antivirus);
      return { text: state, paint: color[stateColors[state]] };
    },
  },
  status: {
    key: 'antivirus-status',
    heading: 'STATUS',
    kind: 'fixed',
    value: detail('status'),
  },
  product: { key: 'antivirus-product', heading: 'PRODUCT', kind: 'name', value: detail('product') },
  threats: {
    key: 'antivirus-threats',
    heading: 'THREATS',
    kind: 'fixed',
    value: detail('threats'),
    cell: (row, color) => ({
      text: String(detail('threats')(row) ?? '-'),
      paint: threatsOf(row) > 0 ? color.red : color.dim,
    }),
  },
  realTime: {
    key: 'antivirus-real-time-protection',
    heading: 'REAL TIME',
    kind: 'fixed',
    value: detail('realTimeProtection'),
  },
  upToDate: {
    key: 'antivirus-definitions-up-to-date',
    heading: 'UP TO DATE',
    kind: 'fixed',
    value: detail('definitionsUpToDate'),
  },
  definitions: {
    key: 'antivirus-definition-version',
    heading: 'DEFINITIONS',
    kind: 'name',
    value: detail('definitionVersion'),
  },
  lastScan: {
    key: 'antivirus-last-full-scan',
    heading: 'LAST FULL SCAN',
    kind: 'fixed',
    value: detail('lastFullScan'),
  },
  several: { key: 'antivirus-several', heading: 'SEVERAL', kind: 'fixed', value: detail('several') },
  build: { key: 'antivirus-build', heading: 'BUILD', kind: 'fixed', value: detail('build') },
  mac: { key: 'antivirus-mac', heading: 'MAC', kind: 'fixed', value: detail('mac') },
} as const satisfies Readonly<Record<string, Column<FactedHost>>>;

const stateColors: Readonly<Record<AntivirusState, keyof Color>> = {
  installed: 'green',
  missing: 'yellow',
  unsupported: 'dim',
  unknown: 'dim',
};
