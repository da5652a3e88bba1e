import { type TerraformProvider, Token } from 'cdktf';
import { Construct } from 'constructs';
import { defined } from '../core/lib/defined.ts';
import { jsonText } from '../core/lib/printable.ts';
import { readYaml } from './desired-text.ts';
import { refuse } from './faults.ts';
import { Fleet } from './generated/bindings.ts';
import type { IManagedHost } from './host-reference.ts';
import { escaped } from './literal.ts';

export interface AntivirusCoverageProps {
  /** A CEL expression that selects the hosts to cover, such as `host.group == "Kiosks"`. */
  readonly where?: string;
  /** These hosts; with `where`, only those that it selects. All hosts if both are absent. */
  readonly hosts?: readonly IManagedHost[];
  /** The maximum number of installs that one apply may request: a number, or a share of the fleet such as `10%`. */
  readonly limit?: number | `${number}%`;
  /** Approves exactly this many installs over the limit, for one apply. */
  readonly ack?: number;
  /** The provider to use, if the stack has several. */
  readonly provider?: TerraformProvider;
}

const mark = Symbol.for('rampart.cdktf.AntivirusCoverage');

/**
 * Installs the vendor's anti-virus on a set of hosts, including hosts that enroll later: each plan requests it for the
 * hosts that lack it and support it. Installs can't be undone. Throws an Error that lists every problem with the
 * properties.
 *
 * @example
 * new AntivirusCoverage(stack, 'kiosks', { where: 'host.group == "Kiosks"', limit: 50 });
 */
export class AntivirusCoverage extends Construct {
  static isAntivirusCoverage(value: unknown): value is AntivirusCoverage {
    return typeof value === 'object' && value !== null && mark in value;
  }

  readonly resource: Fleet;

  constructor(scope: Construct, id: string, props: AntivirusCoverageProps = {}) {
    super(scope, id);
    Object.defineProperty(this, mark, { value: true });
    const { hosts, ack, provider } = props;
    refuse(this, [
      ...(hosts?.length === 0 ? ['hosts is empty'] : []),
      ...(ack !== undefined && !(Number.isSafeInteger(ack) && ack >= 0)
        ? ['ack must be a number of installs']
        : []),
      ...faultsOfState(props),
    ]);
    this.resource = new Fleet(this, 'Default', {
      content: contentOf(this.node.path, props),
      file: 'anti-virus',
      ...defined({ acks: ack === undefined ? undefined : { antivirus: ack }, provider }),
    });
  }
}

/** The desired state in Terraform's template language: host ids may be tokens, and everything else is literal. */
function contentOf(name: string, { where, hosts, limit }: AntivirusCoverageProps): string {
  const ids = hosts?.map(({ hostId }) => hostId).join(', ');
  const when = conditionOf(where === undefined ? undefined : escapedJson(where), ids);
  return [
    'version: 1',
    'hosts: []',
    'rules:',
    `  - { name: "${escapedJson(name)}", when: "${when}", antivirus: installed }`,
    ...(limit === undefined ? [] : [`policy: { limits: { antivirus: ${limit} } }`]),
    '',
  ].join('\n');
}

function conditionOf(where: string | undefined, ids: string | undefined): string {
  if (ids === undefined) return where ?? 'true';
  return where === undefined ? `host.id in [${ids}]` : `host.id in [${ids}] && (${where})`;
}

/** The text between the quotation marks of a JSON string, which YAML reads too. */
function escapedJson(text: string): string {
  return escaped(jsonText(text).slice(1, -1));
}

/** The expression and the limit, as the reader of desired states checks them. */
function faultsOfState({ where, limit }: AntivirusCoverageProps): readonly string[] {
  if (Token.isUnresolved(where)) return ['where must be text and not a token, so that it can be checked'];
  const policy = limit === undefined ? '' : `policy: { limits: { antivirus: ${JSON.stringify(limit)} } }\n`;
  const stateWith = (when: string) =>
    `version: 1\nhosts: []\nrules:\n  - { name: it, antivirus: installed, when: ${JSON.stringify(when)} }\n${policy}`;
  const alone = readYaml('where', stateWith(conditionOf(where, undefined)));
  if (!alone.ok) return alone.faults;
  const within = readYaml('where', stateWith(conditionOf(where, '1')));
  return within.ok ? [] : within.faults;
}
