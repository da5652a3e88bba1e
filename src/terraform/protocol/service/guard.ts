import { log } from '../plugin/log.ts';
import type { Reply } from '../provider/call.ts';
import { errorDiagnostic } from '../provider/diagnostic.ts';

/** The result of a handler, or a diagnostic if it throws: Terraform shows thrown errors with their stack. */
export async function guarded<T extends object>(
  what: string,
  run: () => T | Promise<T>,
): Promise<Partial<T> & Reply> {
  try {
    return await run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log('error', `${what} failed`, { error: error instanceof Error ? (error.stack ?? message) : message });
    const reply: Reply = {
      diagnostics: [
        errorDiagnostic(`${what} failed unexpectedly`, {
          detail: `${message}\n\nThis is a bug in the provider: please report it to its developers.`,
        }),
      ],
    };
    return reply as Partial<T> & Reply;
  }
}
