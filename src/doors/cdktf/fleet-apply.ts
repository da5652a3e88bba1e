import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import { App, AssetType, DataResource, TerraformAsset, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import type { ChangeKind } from '../../core/model/policy.ts';
import type { FleetSource } from '../../input/typescript/define-fleet.ts';
import { desiredHash } from './desired-hash.ts';
import { readFleet, readYaml } from './desired-text.ts';
import { checkPath, oneOf, refuse } from './faults.ts';
import { literal, shellWord } from './literal.ts';

/** The most that one apply may do of each kind: a number of hosts, or a share of the fleet such as `10%`. */
export type FleetApplyLimits = Readonly<Record<ChangeKind, number | `${number}%`>>;

/** Either `planFile` or `limits` bounds what is done. */
export interface FleetApplyProps {
  /** The text of the desired state, or what `defineFleet` gives. A change of what it says makes Terraform run it. */
  readonly desiredState: string | FleetSource;
  /**
   * The file of the reviewed plan (`rampart plan --out`), as the machine that runs Terraform finds it. Only what
   * stands in it is done.
   */
  readonly planFile?: string;
  /**
   * Apply what is planned at that moment, with no review, within these limits: a plan that goes beyond one of them
   * is refused as a whole. The desired state then stands in the stack's folder, and sets none of them itself.
   */
  readonly limits?: FleetApplyLimits;
  /** Where the command runs; Terraform's own folder when absent. */
  readonly workingDirectory?: string;
  /** `null_resource` (when absent) needs a `NullProvider` in the stack, `terraform_data` needs Terraform 1.4 at synth. */
  readonly kind?: 'null_resource' | 'terraform_data';
}

const mark = Symbol.for('rampart.cdktf.FleetApply');

/**
 * Carries out a desired state with the command `rampart`, for teams that cannot install a provider: a resource that
 * runs it on the machine that runs Terraform, when it is created and whenever the desired state says something else.
 * It never runs without bounds: a reviewed plan file, or limits. Credentials come from that machine's environment
 * and never reach the stack or its state. Throws an Error that lists everything that is wrong with the properties.
 *
 * @example
 * new NullProvider(stack, 'null');
 * new FleetApply(stack, 'offices', { desiredState: readFileSync('fleet.yaml', 'utf8'), planFile: 'plan.json' });
 */
export class FleetApply extends Construct {
  static isFleetApply(value: unknown): value is FleetApply {
    return typeof value === 'object' && value !== null && mark in value;
  }

  readonly resource: Resource | DataResource;

  constructor(scope: Construct, id: string, props: FleetApplyProps) {
    super(scope, id);
    Object.defineProperty(this, mark, { value: true });
    const { desiredState, limits, workingDirectory, kind = 'null_resource' } = props;
    const also = limits === undefined ? [] : [{ file: limitsFile, text: textOfLimits(limits) }];
    const read =
      typeof desiredState === 'object' || typeof desiredState === 'function'
        ? readFleet('desiredState', desiredState, also)
        : readYaml('desiredState', desiredState, also);
    refuse(this, [...(read.ok ? [] : read.faults), ...faultsOf(props)]);
    if (!read.ok) throw new Error(`${this.node.path}: the desired state can't be read`);
    const hash = desiredHash(read.value.desired);
    const command =
      limits === undefined
        ? applyPlan(props)
        : applyWithin(this.#asset(hash, read.value.text, textOfLimits(limits)), props);
    const provisioners = [
      {
        type: 'local-exec' as const,
        command,
        ...(workingDirectory === undefined ? {} : { workingDir: literal(workingDirectory) }),
      },
    ];
    const triggers = { desired_state: hash };
    this.resource =
      kind === 'null_resource'
        ? new Resource(this, 'Default', { triggers, provisioners })
        : new DataResource(this, 'Default', { triggersReplace: triggers, provisioners });
  }

  /** Has the files copied beside the stack, into the folder that it gives, as seen from there. */
  #asset(hash: string, state: string, limits: string): string {
    const { outdir } = App.of(this);
    const path = resolve(outdir, 'rampart', TerraformStack.of(this).node.id, this.node.addr);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, stateFile), state);
    writeFileSync(join(path, limitsFile), limits);
    const config = { path, type: AssetType.DIRECTORY, assetHash: hash };
    return new TerraformAsset(this, 'State', config).path.replace(/\/$/, '');
  }
}

const stateFile = 'fleet.yaml';
const limitsFile = 'limits.yaml';
const kinds: readonly ChangeKind[] = ['rename', 'move', 'antivirus', 'delete'];

function applyPlan({ planFile = '' }: FleetApplyProps): string {
  return `rampart apply ${shellWord(planFile)}`;
}

/** Files of the stack, named from the root where the command runs elsewhere than Terraform. */
function applyWithin(folder: string, { workingDirectory }: FleetApplyProps): string {
  const word = (name: string) =>
    workingDirectory === undefined ? `${folder}/${name}` : `"\${abspath(path.module)}/${folder}/${name}"`;
  return `rampart apply -f ${word(stateFile)} -f ${word(limitsFile)} --auto-approve`;
}

function textOfLimits(limits: FleetApplyLimits): string {
  const lines = Object.entries(limits).map(([kind, limit]) => `    ${kind}: ${JSON.stringify(limit)}\n`);
  return `version: 1\nhosts: []\npolicy:\n  limits:\n${lines.join('')}`;
}

function faultsOf({ planFile, limits, workingDirectory, kind }: FleetApplyProps): readonly string[] {
  const missing = limits === undefined ? [] : kinds.filter((each) => limits[each] === undefined);
  return [
    ...(planFile === undefined && limits === undefined
      ? ['neither planFile nor limits bounds what is done: nothing is applied unseen without limits']
      : []),
    ...(planFile !== undefined && limits !== undefined
      ? ['planFile and limits do not go together: a plan that was reviewed is its own bound']
      : []),
    ...checkPath('planFile', planFile),
    ...missing.map((each) => `limits.${each} is missing: every kind of change is bounded`),
    ...checkPath('workingDirectory', workingDirectory),
    ...oneOf('null_resource', 'terraform_data')('kind', kind),
  ];
}
