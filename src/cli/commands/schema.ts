import { fleetJsonSchema } from '../../desired/schema/json-schema.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../shell/exit-code.ts';

export async function schema(context: Context): Promise<ExitCode> {
  context.printJson(fleetJsonSchema());
  return exitCodes.success;
}
