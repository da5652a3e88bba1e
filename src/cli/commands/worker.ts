import type { ExitCode } from '../../run/apply/exit-code.ts';
import type { Context } from '../shell/context.ts';
import { serve } from './server.ts';

export interface WorkerFlags {
  readonly config?: string;
}

/** Works jobs until it is interrupted. */
export async function worker(context: Context, flags: WorkerFlags): Promise<ExitCode> {
  return serve(context, flags, { http: false, scheduler: false, worker: true });
}
