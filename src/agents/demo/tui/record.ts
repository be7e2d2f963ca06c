import { appendFileSync } from 'node:fs';

/** One line of the file of `--record`. A task that was performed twice has two lines `began`. */
export interface TaskRecord {
  readonly at: number;
  readonly worker: string;
  readonly conversation: string;
  readonly event: 'began' | 'continued' | 'ended' | 'failed' | 'left';
  /** The task in a few words. */
  readonly task: string;
  readonly files: readonly string[];
}

/** All agents may share the file: a line is one write at its end. */
export function createRecord(file: string | undefined): (line: TaskRecord) => void {
  if (file === undefined) return () => {};
  return (line) => appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}
