import { LlmcError } from '../../base/error.ts';
import { visibleText } from '../../base/visible-text.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import type { Said } from '../../supervisor/report/conversation.ts';
import { requireName } from '../runs/is-run.ts';
import type { Shell } from '../shell.ts';
import { readTurns } from '../ui/live/worker-panes.ts';
import { localTime } from './show-logs.ts';

/** More than llmc keeps of a worker. */
const ALL = 100_000;

interface Wanted {
  readonly worker: string | undefined;
  /** Whether other options were given that this output does not have. */
  readonly asksMore: boolean;
  readonly sinceMs: number | undefined;
}

export async function showConversation(shell: Shell, { worker, asksMore, sinceMs }: Wanted): Promise<void> {
  requireRoot(shell.layout);
  if (worker === undefined || asksMore)
    throw new LlmcError('INVALID_ARGUMENT', '--conversation is for one worker, without --follow and --recovery', {
      hint: 'llmc logs adam --conversation',
    });
  await requireName(shell, worker);
  const oldest = sinceMs === undefined ? 0 : Date.now() - sinceMs;
  const said = (await readTurns(shell, worker, ALL)).filter(({ at_ms }) => at_ms >= oldest);
  if (shell.options.json) for (const { at_ms, ...each } of said) shell.outJson({ time: new Date(at_ms).toISOString(), worker, ...each });
  else shell.out(said.map(saidText).join('\n'));
}

const WHO = { person: 'you', llmc: 'llmc', agent: 'agent' } as const;
const STATE = { waiting: ', not delivered yet', failed: ', failed' } as const;

function saidText({ at_ms, who, purpose, state, text }: Said): string {
  const what = purpose === null || purpose === 'message' ? '' : ` (${purpose})`;
  const body = visibleText(text.trim()).replaceAll('\n', '\n  ');
  return `${localTime(new Date(at_ms).toISOString())} ${WHO[who]}${what}${state === null ? '' : STATE[state]}:\n  ${body}\n`;
}
