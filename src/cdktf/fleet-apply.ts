import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import { Token } from 'cdktf';
import { Construct } from 'constructs';
import { readDesired } from '../desired/read-desired.ts';
import { sha256Hex } from '../lib/hash.ts';
import { formatPlace } from '../problem/place.ts';
import { literal, shellWord } from './literal.ts';

export interface FleetApplyProps {
  /** The text of the desired state. A change of it is what makes Terraform run the plan. */
  readonly desiredState: string;
  /**
   * The file of the reviewed plan (`rampart plan --out`), as the machine that runs Terraform finds it. Only what
   * stands in it is done: there is no way to apply a desired state that nobody has seen planned.
   */
  readonly planFile: string;
  /** Where the command runs; Terraform's own folder when absent. */
  readonly workingDirectory?: string;
}

const mark = Symbol.for('rampart.cdktf.FleetApply');

/**
 * Carries out a reviewed plan as a part of a stack: a `null_resource` that runs `rampart apply <plan file>` on the
 * machine that runs Terraform, when it is created and whenever the desired state has changed. Credentials come from
 * that machine's environment and never reach the stack or its state. Needs a `NullProvider` in the stack.
 * Throws an Error that lists everything that is wrong with the properties.
 */
export class FleetApply extends Construct {
  static isFleetApply(value: unknown): value is FleetApply {
    return typeof value === 'object' && value !== null && mark in value;
  }

  readonly resource: Resource;

  constructor(scope: Construct, id: string, props: FleetApplyProps) {
    super(scope, id);
    Object.defineProperty(this, mark, { value: true });
    const faults = [...faultsOfText(props.desiredState), ...faultsOfPath('planFile', props.planFile)];
    if (props.workingDirectory !== undefined)
      faults.push(...faultsOfPath('workingDirectory', props.workingDirectory));
    if (faults.length > 0) throw new Error(`${this.node.path}: ${faults.join('; ')}`);
    this.resource = new Resource(this, 'Default', {
      triggers: { desired_state: sha256Hex(props.desiredState) },
      provisioners: [
        {
          type: 'local-exec',
          command: `rampart apply ${shellWord(props.planFile)}`,
          ...(props.workingDirectory === undefined ? {} : { workingDir: literal(props.workingDirectory) }),
        },
      ],
    });
  }
}

function faultsOfText(text: string): readonly string[] {
  if (typeof text !== 'string') return ['desiredState is no text'];
  if (Token.isUnresolved(text)) return ['desiredState is a token: its text is needed to check and hash it'];
  const read = readDesired([{ file: 'desiredState', text }]);
  if (read.ok) return [];
  return read.problems
    .filter((each) => each.severity === 'error')
    .map(({ place, message }) => (place === undefined ? message : `${formatPlace(place)}: ${message}`));
}

function faultsOfPath(name: string, path: string): readonly string[] {
  if (typeof path !== 'string') return [`${name} is no text`];
  if (Token.isUnresolved(path)) return [];
  if (path.trim() === '') return [`${name} is empty`];
  if (path.startsWith('-')) return [`${name} begins like a flag: write ./${path}`];
  return /\p{Cc}/u.test(path) ? [`${name} holds a control character`] : [];
}
