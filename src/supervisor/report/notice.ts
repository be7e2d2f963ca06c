import type { Worker } from '../../store/state.ts';
import { attentionText } from '../../workers/status/attention-text.ts';
import { predicateOf } from '../../workers/status/status-words.ts';

/** What a person is told, on all ways. */
export interface Notice {
  readonly title: string;
  readonly reason: string;
  /** For the command of `[notify]`. */
  readonly env: Readonly<Record<string, string>>;
}

/** Linux starts no program with an argument or a variable of more than 128 KB (Linux 6.1), so a long question would silence the call. */
const LONGEST_REASON = 4_000;

export function noticeOf(worker: Worker): Notice {
  const { name, status, attention } = worker;
  const reason = reasonOf(worker).slice(0, LONGEST_REASON);
  return {
    title: `llmc: ${name} ${predicateOf(status)}`,
    reason,
    env: { LLMC_WORKER: name, LLMC_WORKERS: name, LLMC_STATUS: status, LLMC_REASON: reason, LLMC_REASON_KIND: attention?.kind ?? '' },
  };
}

/** One notice about several workers. */
export function digestOf(workers: readonly Worker[]): Notice {
  const names = workers.map(({ name }) => name);
  const lines = workers.map((worker) => `${worker.name} ${predicateOf(worker.status)}${withReason(reasonOf(worker))}`);
  const reason = lines.map((line) => line.slice(0, LONGEST_REASON / workers.length)).join('\n');
  return {
    title: `llmc: ${workers.length} workers need you: ${names.join(', ')}`.slice(0, LONGEST_REASON),
    reason,
    env: { LLMC_WORKER: '', LLMC_WORKERS: names.join(' '), LLMC_STATUS: 'digest', LLMC_REASON: reason, LLMC_REASON_KIND: 'digest' },
  };
}

function reasonOf({ name, attention }: Worker): string {
  return attention === null ? '' : attentionText(name, attention);
}

const withReason = (reason: string): string => (reason === '' ? '' : `: ${reason}`);
