import { join } from 'node:path';
import type { Agent, SafeText } from '../../agents/agent.ts';
import type { Delivery } from '../../store/deliveries.ts';
import type { WorkContext } from '../context.ts';

type Disk = Pick<WorkContext, 'layout' | 'files'>;

/** Typed without loss up to this size (Claude Code 2.1, tmux 3.3a); what is larger goes through a file. */
const LARGEST_TYPED_BYTES = 256 * 1024;

/** A prompt made safe for the agent it is typed into. Called once per attempt, right before the paste. */
export function asTyped(context: Disk, agent: Agent, prompt: Pick<Delivery, 'worker' | 'text' | 'id'>): SafeText {
  return throughFile(context, agent, prompt) ?? agent.makeSafe(prompt.text);
}

/** A prompt the input box would not carry unchanged: written to a private file, and the agent is told to read it. */
function throughFile({ layout, files }: Disk, agent: Agent, outgoing: Pick<Delivery, 'worker' | 'text' | 'id'>): SafeText | undefined {
  const bytes = Buffer.byteLength(outgoing.text);
  const why = bytes > LARGEST_TYPED_BYTES ? `it has ${bytes} bytes` : agent.makeSafe(outgoing.text).needsFile;
  if (why === undefined) return undefined;
  const path = join(layout.scratch(outgoing.worker), 'prompts', `${outgoing.id}.md`);
  files.writePrivate(path, outgoing.text);
  const text = `Your instructions are in the file ${path} because they cannot be typed exactly. Read the whole file now and follow it as if it stood here.`;
  return { text, changes: [`sent as the file ${path}: ${why}`] };
}
