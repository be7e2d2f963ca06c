import { LlmcError } from '../../base/error.ts';
import type { Main } from './refresh-review.ts';

/** Work that conflicts with main, as a command meets it. */
export class ConflictError extends LlmcError {
  readonly main: Main;
  readonly files: readonly string[];

  constructor(worker: string, main: Main, files: readonly string[]) {
    super('REBASE_CONFLICT', `the commit of ${worker} conflicts with ${main.branch} in ${files.join(', ')}`, {
      hint: `Let its agent resolve that: llmc rebase ${worker}`,
      details: files.join('\n'),
    });
    this.main = main;
    this.files = files;
  }
}
