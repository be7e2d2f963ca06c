import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendFacts, conversationFile, type Remembered, readConversation, recall } from './conversation.ts';
import { trustDialog } from './dialog.ts';
import { readOptions } from './options.ts';
import { createRecord } from './record.ts';
import { findScenario } from './scenario/find-scenario.ts';
import type { QuirkPorts } from './scenario/misbehave.ts';
import { createQuirks } from './scenario/quirks.ts';
import { layout } from './screen/layout.ts';
import type { Terminal } from './screen/terminal.ts';
import { Session } from './session.ts';
import { createSpool } from './spool.ts';
import { createRunner } from './turn/shell.ts';

const SPINNER_MS = 250;

/** Connects the parts to the real terminal and files. Rejects with a message for people if it cannot start. */
export async function runProgram(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string, terminal: Terminal): Promise<void> {
  const options = readOptions(args, env);
  const scenario = await findScenario(options.scenario, options.worker);
  const { id, past } = conversationFor(options.conversation, env);
  const quirks = createQuirks([...scenario.misbehave, ...options.misbehave], quirkPorts, createSpool(env, process.pid, Date.now));
  await sleep(quirks.startDelayMs);

  const header = [' ▲ llmc demo agent', ` ${options.model} · no account, no model, no network`, ` ${cwd}`, ''];
  let scheduled = false;
  const draw = () => {
    scheduled = false;
    terminal.draw(layout({ state: session.state, header, now: Date.now() }, terminal.size));
  };
  const redraw = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(draw);
  };
  const session = new Session(
    {
      cwd,
      worker: options.worker,
      scenario,
      quirks,
      run: createRunner(cwd, env),
      now: Date.now,
      sleep: quirkPorts.sleep,
      newId: randomUUID,
      append: (conversation, facts) => appendFacts(conversationFile(env, conversation), facts),
      record: createRecord(options.record),
      allows: (tool) => options.skipPermissions || options.allowedTools.includes(tool),
      changed: () => {
        redraw();
        keepTime(session, redraw);
      },
      leave(status, last) {
        terminal.close(status === 0 ? `Resume this conversation with: --resume ${last}\r\n` : '');
        process.exit(status);
      },
    },
    id,
    past,
  );
  terminal.open({ input: (input) => session.input(input), resized: redraw, gone: () => session.leave(129, 'other') });
  process.on('uncaughtException', (error) => {
    terminal.close(`demo agent: ${error.message}\r\n`);
    process.exit(1);
  });
  process.on('SIGTERM', () => session.leave(143, 'other'));
  process.on('SIGHUP', () => session.leave(129, 'other'));

  if (options.trustDialog || scenario.trustDialog) await requireTrust(session, cwd, terminal);
  session.begin(past === undefined ? 'startup' : 'resume');
  draw();
  session.ready();
}

/** Asks whether the folder is trusted, and leaves unless it is. */
async function requireTrust(session: Session, cwd: string, terminal: Terminal): Promise<void> {
  const answer = await session.askFirst(trustDialog(cwd));
  if (answer?.kind === 'choice' && answer.index === 1) return;
  terminal.close('');
  process.exit(1);
}

let ticking: NodeJS.Timeout | undefined;
let hint: NodeJS.Timeout | undefined;

// No timer runs while nothing changes, because fifty idle agents must cost nothing.
function keepTime(session: Session, redraw: () => void): void {
  const { busySince, leaveUntil } = session.state;
  if (busySince !== null && ticking === undefined) ticking = setInterval(redraw, SPINNER_MS);
  if (busySince === null && ticking !== undefined) {
    clearInterval(ticking);
    ticking = undefined;
  }
  const left = (leaveUntil ?? 0) - Date.now();
  if (left > 0 && hint === undefined) {
    hint = setTimeout(() => {
      hint = undefined;
      redraw();
    }, left + 10);
  }
}

const quirkPorts: QuirkPorts = {
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  later(ms, call) {
    let called = false;
    const once = () => {
      if (called) return;
      called = true;
      clearTimeout(timer);
      call();
    };
    const timer = setTimeout(once, ms);
    return once;
  },
  crash: () => process.kill(process.pid, 'SIGKILL'),
};

interface Beginning {
  readonly id: string;
  readonly past: Remembered | undefined;
}

function conversationFor(wanted: ReturnType<typeof readOptions>['conversation'], env: NodeJS.ProcessEnv): Beginning {
  const id = wanted.id ?? randomUUID();
  const facts = readConversation(conversationFile(env, id));
  if (wanted.kind === 'resume') {
    if (facts === undefined) throw new Error(`No conversation found with session ID: ${id}`);
    return { id, past: recall(facts) };
  }
  if (facts !== undefined) throw new Error(`Session ID ${id} is already in use.`);
  return { id, past: undefined };
}
