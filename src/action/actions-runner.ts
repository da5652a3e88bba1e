import { randomUUID } from 'node:crypto';
import * as core from '@actions/core';
import type { Stream } from '../cli/shell/io.ts';
import { processIo } from '../cli/shell/process-io.ts';
import { defined } from '../core/lib/defined.ts';
import { isSet } from '../core/lib/surroundings.ts';
import type { Annotation } from './annotations.ts';
import type { Runner } from './job.ts';

/** The GitHub Actions runner that started this process. */
export function actionsRunner(): Runner {
  const io = processIo();
  const log = plainLog((text) => io.stdout.write(text));
  return {
    io: {
      ...io,
      cwd: io.env['GITHUB_WORKSPACE'] || io.cwd,
      stdout: log.stream,
      stderr: log.stream,
      prompt: async () => null,
    },
    annotate(annotation) {
      log.end();
      annotate(annotation);
    },
    output(name, value) {
      log.end();
      core.setOutput(name, value);
    },
    mask(secret) {
      log.end();
      core.setSecret(secret);
    },
    async summary(markdown) {
      if (!isSet(io.env, 'GITHUB_STEP_SUMMARY')) return;
      await core.summary.addRaw(markdown, true).write();
    },
  };
}

/** The runner must treat everything logged here as text, and run no commands found in it. */
function plainLog(write: (text: string) => void): { readonly stream: Stream; readonly end: () => void } {
  let token: string | undefined;
  let atStart = true;
  const stream: Stream = {
    isTerminal: false,
    columns: null,
    write(text) {
      if (text === '') return;
      if (token === undefined) {
        token = randomUUID();
        write(`::stop-commands::${token}\n`);
      }
      write(text);
      atStart = text.endsWith('\n');
    },
  };
  return {
    stream,
    end() {
      if (token === undefined) return;
      write(`${atStart ? '' : '\n'}::${token}::\n`);
      token = undefined;
      atStart = true;
    },
  };
}

const commands = { error: core.error, warning: core.warning, notice: core.notice };

function annotate({ kind, message, title, file, line, column }: Annotation): void {
  const place = defined({ file, startLine: line, startColumn: column });
  commands[kind](message, { title, ...place });
}
