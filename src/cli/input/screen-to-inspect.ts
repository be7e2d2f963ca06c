import type { Agent } from '../../agents/agent.ts';
import { findAgent } from '../../agents/registry.ts';
import { LlmcError } from '../../base/error.ts';
import { loadConfigInForce } from '../../config/in-force.ts';
import { BUILT_IN_AGENTS } from '../../config/schema.ts';
import { findWorker } from '../../store/find-worker.ts';
import type { Layout } from '../../store/layout.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { type Screen, screenFromText } from '../../terminal/screen.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { loadAgent } from '../../workers/context.ts';
import { textOfFile } from './prompt-text.ts';

export interface ToInspect {
  readonly agent: Agent;
  readonly screen: Screen;
}

export async function recordedScreen(root: string, agent: string, file: string): Promise<ToInspect> {
  return { agent: await agentNamed(root, agent), screen: screenFromText(await textOfFile(file)) };
}

/** The current screen of a worker's agent, with the rules of that agent unless another one is named. Needs no supervisor. */
export async function liveScreen(layout: Layout, name: string, agent: string | undefined): Promise<ToInspect> {
  const worker = findWorker(readStateLeniently(layout), name);
  const terminal = new Terminal(layout.tmuxSocket, systemProcesses);
  // The list says which pane is the agent's: a person may have another one in front.
  await terminal.panes();
  const screen = (await terminal.capture([worker.session_id])).get(worker.session_id);
  if (screen === undefined)
    throw new LlmcError('SESSION_NOT_FOUND', `the session ${worker.session_id} is not running`, { hint: 'llmc up --detach' });
  return { agent: await agentNamed(layout.root, agent ?? worker.agent), screen };
}

/** Built-in agents need no configuration, so their recorded screens can be inspected without a root. */
async function agentNamed(root: string, name: string): Promise<Agent> {
  return BUILT_IN_AGENTS.includes(name) ? findAgent(name) : loadAgent((await loadConfigInForce(root)).config, name);
}
