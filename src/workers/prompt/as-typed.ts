import { join } from 'node:path';
import type { Agent, SafeText } from '../../agents/agent.ts';
import { showToAgent } from '../../sandbox/agent-user.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../context.ts';

type Disk = Pick<WorkContext, 'layout' | 'files'>;

/** The largest prompt that is typed without loss (Claude Code 2.1, tmux 3.3a). A larger one goes through a file. */
const LARGEST_TYPED_BYTES = 256 * 1024;

/** Makes a prompt safe to type into an agent. Called once per attempt, right before the paste. */
export function asTyped(context: Disk, agent: Agent, prompt: Pick<Delivery, 'worker' | 'text' | 'id' | 'purpose'>): SafeText {
  if (prompt.purpose === 'compact') return { text: prompt.text, changes: [] };
  return throughFile(context, agent, prompt) ?? agent.makeSafe(prompt.text);
}

/** Writes a prompt that cannot be typed unchanged to a private file, and returns the instruction to read it. */
function throughFile({ layout, files }: Disk, agent: Agent, outgoing: Pick<Delivery, 'worker' | 'text' | 'id'>): SafeText | undefined {
  const bytes = Buffer.byteLength(outgoing.text);
  const why = bytes > LARGEST_TYPED_BYTES ? `it has ${bytes} bytes` : agent.makeSafe(outgoing.text).needsFile;
  if (why === undefined) return undefined;
  const path = join(layout.scratch(outgoing.worker), 'prompts', `${outgoing.id}.md`);
  files.writePrivate(path, outgoing.text);
  showToAgent(layout, outgoing.worker, path);
  const text = `Your instructions are in the file ${path} because they cannot be typed exactly. Read the whole file now and follow it as if it stood here.`;
  return { text, changes: [`sent as the file ${path}: ${why}`] };
}
