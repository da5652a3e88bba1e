import type { Received, SentMessage } from '../messages/messages.ts';
import { log } from '../plugin/log.ts';
import type { IdentityDefinition, IdentityValue } from '../provider/identity.ts';
import { type ObjectType, type RecordValue, typeBytes } from '../value/value.ts';
import { receivedValue, sentValue } from './handler.ts';

type Definition = IdentityDefinition<RecordValue>;

const types = new WeakMap<object, ObjectType>();

function typeOfIdentity({ attributes }: Pick<Definition, 'attributes'>): ObjectType {
  const known = types.get(attributes);
  if (known !== undefined) return known;
  const type = {
    object: Object.fromEntries(Object.entries(attributes).map(([name, { type: of }]) => [name, of])),
  };
  types.set(attributes, type);
  return type;
}

export function receivedIdentity(
  definition: Definition | undefined,
  data: Received<'ResourceIdentityData'> | undefined,
): IdentityValue | null {
  if (definition === undefined || data?.identityData === undefined) return null;
  return receivedValue(data.identityData, typeOfIdentity(definition)) as IdentityValue | null;
}

export function sentIdentity(
  definition: Definition | undefined,
  identity: IdentityValue | null,
): SentMessage<'ResourceIdentityData'> | undefined {
  if (definition === undefined || identity === null) return undefined;
  return { identityData: sentValue(identity, typeOfIdentity(definition)) };
}

/**
 * The identity of a state, if the resource has one. A defect in the author's code must not lose the state, so it is
 * only logged.
 */
export function identityOf(
  definition: Definition | undefined,
  state: RecordValue | null,
): SentMessage<'ResourceIdentityData'> | undefined {
  if (definition === undefined || state === null) return undefined;
  try {
    return sentIdentity(definition, definition.of(state));
  } catch (error) {
    log('error', 'no identity', { error: String(error) });
    return undefined;
  }
}

export function identitySchemaMessage({ attributes }: Definition): SentMessage<'IdentitySchema'> {
  return {
    identityAttributes: Object.entries(attributes).map(([name, { type, description, required }]) => ({
      name,
      type: typeBytes(type),
      description,
      requiredForImport: required === true,
      optionalForImport: required !== true,
    })),
  };
}
