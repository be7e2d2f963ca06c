import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Agent, SafeText } from '../../agents/agent.ts';
import type { Database } from '../../store/database.ts';
import { type Delivery, insertDelivery } from '../../store/deliveries.ts';
import type { Layout } from '../../store/layout.ts';
import { writePrivate } from '../../system/files/files.ts';
import type { WorkContext } from '../context.ts';

export interface Outgoing {
  readonly worker: string;
  readonly purpose: Delivery['purpose'];
  readonly text: string;
  readonly freshConversation: boolean;
}

/** Typed without loss up to this size (Claude Code 2.1, tmux 3.3a); what is larger goes through a file. */
const LARGEST_TYPED_BYTES = 256 * 1024;

/** Prepares a row for the delivery ledger; the caller writes it in the same transaction as the status it belongs to. */
export function prepareDelivery(
  context: Pick<WorkContext, 'clock' | 'random' | 'layout'>,
  agent: Agent,
  outgoing: Outgoing,
): { id: string; write: (database: Database) => void } {
  const id = context.random.id();
  const safe = asTyped(context.layout, agent, { ...outgoing, id });
  const row = {
    id,
    worker: outgoing.worker,
    purpose: outgoing.purpose,
    text: outgoing.text,
    sent_text: safe.text,
    text_hash: createHash('sha256').update(safe.text).digest('hex'),
    changes: JSON.stringify(safe.changes),
    fresh_conversation: outgoing.freshConversation ? 1 : 0,
    created_ms: context.clock.now(),
  };
  return { id, write: (database) => insertDelivery(database, row) };
}

/** What is typed in place of a prompt, for the agent it is typed into. */
export function asTyped(layout: Layout, agent: Agent, prompt: Pick<Delivery, 'worker' | 'text' | 'id'>): SafeText {
  return throughFile(layout, agent, prompt) ?? agent.makeSafe(prompt.text);
}

/** A prompt the input box would not carry unchanged: written to a private file, and the agent is told to read it. */
function throughFile(layout: Layout, agent: Agent, outgoing: Pick<Delivery, 'worker' | 'text' | 'id'>): SafeText | undefined {
  const bytes = Buffer.byteLength(outgoing.text);
  const why = bytes > LARGEST_TYPED_BYTES ? `it has ${bytes} bytes` : agent.makeSafe(outgoing.text).needsFile;
  if (why === undefined) return undefined;
  const path = join(layout.scratch(outgoing.worker), 'prompts', `${outgoing.id}.md`);
  writePrivate(path, outgoing.text);
  const text = `Your instructions are in the file ${path} because they cannot be typed exactly. Read the whole file now and follow it as if it stood here.`;
  return { text, changes: [`sent as the file ${path}: ${why}`] };
}
