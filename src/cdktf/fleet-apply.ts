import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import { App, AssetType, DataResource, TerraformAsset, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { canonicalJson } from '../core/lib/canonical-json.ts';
import { sha256Hex } from '../core/lib/hash.ts';
import type { Desired } from '../core/model/desired.ts';
import { type ChangeKind, changeKinds } from '../core/model/policy.ts';
import type { FleetSource } from '../input/typescript/define-fleet.ts';
import { readYaml, textOfFleet } from './desired-text.ts';
import { checkPath, oneOfWords, refuse } from './faults.ts';
import { literal, shellWord } from './literal.ts';

/**
 * The maximum number of changes of each kind in one apply: a number of hosts, or a share of the fleet such as `10%`.
 */
export type FleetApplyLimits = Readonly<Record<ChangeKind, number | `${number}%`>>;

/** Set either `planFile` or `limits`. */
export interface FleetApplyProps {
  /**
   * The text of the desired state, or the result of `defineFleet`. Terraform runs the command again when its content
   * changes.
   */
  readonly desiredState: string | FleetSource;
  /**
   * The file of the reviewed plan (`rampart plan --out`), as the machine that runs Terraform finds it. Only the changes
   * in this plan are made.
   */
  readonly planFile?: string;
  /**
   * Applies the plan made at that moment, without review, within these limits: a plan that exceeds one of them is
   * refused as a whole. The desired state is then copied to the stack's folder, and must not set limits itself.
   */
  readonly limits?: FleetApplyLimits;
  /** The folder to run the command in; Terraform's own folder when absent. */
  readonly workingDirectory?: string;
  /**
   * `null_resource` (the default) needs a `NullProvider` in the stack; `terraform_data` needs Terraform 1.4 at synth.
   */
  readonly kind?: 'null_resource' | 'terraform_data';
}

const mark = Symbol.for('rampart.cdktf.FleetApply');

/**
 * Applies a desired state with the command `rampart`, for teams that can't install a provider: a resource that runs the
 * command on the machine that runs Terraform, when it is created and whenever the content of the desired state changes.
 * It always needs a reviewed plan file, or limits. Credentials come from the environment of that machine and never
 * reach the stack or its state. Throws an Error that lists every problem with the properties.
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
        ? textOfFleet('desiredState', desiredState, also)
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

  /** Copies the files next to the stack, into the given folder, with paths relative to it. */
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

function applyPlan({ planFile = '' }: FleetApplyProps): string {
  return `rampart apply ${shellWord(planFile)}`;
}

/** Files of the stack, relative to the root module if the command runs in another folder than Terraform. */
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
  const missing = limits === undefined ? [] : changeKinds.filter((each) => limits[each] === undefined);
  return [
    ...(planFile === undefined && limits === undefined
      ? ['set planFile or limits: without a reviewed plan, limits are required']
      : []),
    ...(planFile !== undefined && limits !== undefined
      ? ['planFile and limits exclude each other: a reviewed plan needs no limits']
      : []),
    ...checkPath('planFile', planFile),
    ...missing.map((each) => `limits.${each} is missing: every kind of change needs a limit`),
    ...checkPath('workingDirectory', workingDirectory),
    ...oneOfWords('null_resource', 'terraform_data')('kind', kind),
  ];
}

/**
 * Equal for two desired states with the same content: layout, comments, files and the order of entries do not count. 64
 * hexadecimal digits.
 */
function desiredHash(desired: Desired): string {
  const { companyId, limits, rules, policy, knownDrift } = desired;
  const entries = Array.from({ length: desired.count }, (_, index) =>
    canonicalJson(withoutPositions(desired.at(index))),
  );
  return sha256Hex(
    canonicalJson({
      companyId: companyId?.value,
      limits,
      entries: entries.toSorted(),
      rules: withoutPositions(rules),
      policy: withoutPositions(policy),
      knownDrift: withoutPositions(knownDrift),
    }),
  );
}

const positions: ReadonlySet<string> = new Set(['index', 'place']);

function withoutPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPositions);
  if (typeof value !== 'object' || value === null) return value;
  if ('needs' in value && 'source' in value) return value.source;
  const members = Object.entries(value).filter(([key]) => !positions.has(key));
  return Object.fromEntries(members.map(([key, each]) => [key, withoutPositions(each)]));
}
