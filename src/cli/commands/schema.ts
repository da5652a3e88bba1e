import { fleetJsonSchema } from '../../desired/json-schema.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';

export async function schema(context: Context): Promise<ExitCode> {
  context.printJson(fleetJsonSchema());
  return exitCodes.success;
}
