import type { Board } from '../board.ts';
import type { OpenTurn } from '../conversation.ts';
import type { Memory } from '../memory.ts';
import type { SessionPorts } from '../ports.ts';
import { filesToLeave } from '../results/asked-files.ts';
import { exchange } from '../results/exchange.ts';
import { SAVED } from './default-turn.ts';
import { chooseSaving, chooseTurn, stepsOf } from './plan.ts';
import type { Stage } from './stage.ts';
import { asksToGoOn, asksToSave, gistOf, taskOf, toldIn } from './task.ts';
import { performTurn, type TurnResult } from './turn.ts';

/** The part of the session that a turn uses. */
export interface Host {
  readonly ports: SessionPorts;
  readonly board: Board;
  readonly memory: Memory;
  emit(name: string, payload: Readonly<Record<string, unknown>>): void;
  /** Runs something that Esc can stop. */
  busy(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  leave(status: number, reason: string): void;
  /** Continues without a prompt, unless another prompt comes first. */
  continueAt(at: number): void;
}

/** One prompt from its acceptance to the end of its turn. */
export async function runPrompt(host: Host, prompt: string, queued: boolean): Promise<void> {
  const { ports, board, memory } = host;
  const unfinished = memory.past.open;
  const saves = asksToSave(prompt);
  const saving = saves ? chooseSaving(ports.scenario) : null;
  // Told to save, it finishes what it was at, unless its scenario says how it saves.
  const goesOn = unfinished !== null && (saves ? saving === null : asksToGoOn(prompt));
  const turn = goesOn ? unfinished.turn : saves ? saving : chooseTurn(ports.scenario, memory.past.used, prompt);
  const release = ports.quirks.during(turn === null ? [] : (ports.scenario.turns[turn]?.misbehave ?? []));
  const since = ports.now();
  const files = filesToLeave(toldIn(prompt), memory.past.files);
  const open: OpenTurn = goesOn ? unfinished : { turn, prompt, at: since, files, answers: [], done: 0 };
  const begun = goesOn ? ({ type: 'go_on', prompt, at: since } as const) : ({ type: 'turn', turn, prompt, at: since, files } as const);
  board.show({ kind: 'prompt', text: prompt }, begun);
  // To save is not a task of its own.
  const record = saves && !goesOn ? () => undefined : ports.record;
  record({ ...about(host, open), event: goesOn ? 'continued' : 'began' });
  // Report only after the prompt is stored: a reported prompt must exist after a crash.
  if (!queued) host.emit('prompt_submit', { prompt });
  try {
    await host.busy(async (signal) => {
      const steps = stepsOf(ports.scenario, open, ports.worker);
      const stage = stageFor(host, open, signal);
      const result = await performTurn(steps, open, goesOn, stage, signal);
      if (saves && goesOn && result.kind === 'ended') await exchange(SAVED, stage, signal);
      record({ ...about(host, open), event: result.kind });
      finish(host, result, ports.now() - since);
    });
  } finally {
    release();
  }
}

/** The part of a record that names the task. */
function about({ ports, memory }: Host, { prompt, files }: OpenTurn) {
  return { at: ports.now(), worker: ports.worker, conversation: memory.id, task: gistOf(prompt), files: files.map(({ path }) => path) };
}

function finish({ board, memory, ports, emit, leave, continueAt }: Host, result: TurnResult, ms: number): void {
  if (result.kind === 'left') {
    memory.note({ type: 'end' });
    leave(result.status, 'other');
    return;
  }
  const idle = { busySince: null, dialog: null };
  if (result.kind === 'failed') {
    // The turn stays open: after a limit or an outage a prompt such as "continue" resumes it.
    const { type, message, resetsInMs, continues } = result;
    const resetsAt = resetsInMs === null ? null : ports.now() + resetsInMs;
    board.show({ kind: 'failed', type, message });
    board.set(idle);
    emit('stop_failure', { type, message, ...(resetsAt !== null && { resets_at: resetsAt }) });
    if (continues && resetsAt !== null) continueAt(resetsAt);
    return;
  }
  memory.note({ type: 'end' });
  board.show({ kind: 'finished', ms });
  board.set(idle);
  emit('stop', { message: result.message, queued: board.state.queue.length });
}

function stageFor({ ports, board, memory, emit }: Host, open: OpenTurn, signal: AbortSignal): Stage {
  return {
    cwd: ports.cwd,
    words: { worker: ports.worker, task: taskOf(open.prompt) },
    files: open.files,
    gist: gistOf(open.prompt, 200),
    remarksGiven: () => memory.past.remarks,
    remarked: () => memory.note({ type: 'remarks' }),
    now: ports.now,
    run: ports.run,
    say: (text) => board.show({ kind: 'said', text }),
    tool: (name, title) => {
      emit('tool_start', { tool: name });
      const showResult = board.tool(title);
      return (output) => {
        showResult(output);
        emit('tool_end', { tool: name });
      };
    },
    ask: async (dialog, tool) => {
      const answer = board.ask(dialog, signal);
      const { question, choices, detail: command } = dialog;
      emit(tool === null ? 'question' : 'permission', { ...(tool !== null && { tool, command }), question, choices });
      // After Esc the wait rejects, so this line does not run and no event reports the end of the dialog, as in Claude Code 2.1.
      const given = await answer;
      emit('dialog_closed', {});
      return given;
    },
    allows: ports.allows,
    sleep: ports.sleep,
    misbehave: (what, within) => (what === 'as ordered' ? ports.quirks.inTurn(within) : ports.quirks.perform(what, within)),
    answered: (step, answer) => memory.note({ type: 'answer', step, answer }),
    done: (steps) => memory.note({ type: 'done', steps }),
  };
}
