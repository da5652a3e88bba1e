import { Construct, type IConstruct } from 'constructs';
import { checkHostId, checkText, refuse } from './faults.ts';
import { DataRampartHost } from './generated/bindings.ts';
import { literal } from './literal.ts';

/** A host, managed here or elsewhere. */
export interface IManagedHost extends IConstruct {
  /** Its id, in digits or a token. */
  readonly hostId: string;
}

/** A host that is identified by its id, and not managed by this construct. */
export class HostById extends Construct implements IManagedHost {
  readonly hostId: string;

  constructor(scope: Construct, id: string, hostId: string) {
    super(scope, id);
    refuse(this, checkHostId('hostId', hostId));
    this.hostId = hostId;
  }
}

/** A host that Terraform finds by its exact name, and that this construct does not manage. */
export class HostByName extends Construct implements IManagedHost {
  readonly hostId: string;

  constructor(scope: Construct, id: string, name: string) {
    super(scope, id);
    refuse(this, checkText('name', name));
    this.hostId = new DataRampartHost(this, 'Default', { name: literal(name) }).id;
  }
}
