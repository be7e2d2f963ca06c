import type { Instant } from '../../../base/ports.ts';
import type { ProtocolEvent } from '../../protocol.ts';
import { failedTurn } from './errors.ts';
import { type ThreadItem, type ThreadTurn, toPromptText } from './messages.ts';

/**
 * Translates a turn into events. Codex 0.166 gives turns and items ids that are the same live, in the record and after
 * a restart of its server, and the record keeps them in order; so do the events.
 */

function promptAccepted(turnId: string, item: ThreadItem): ProtocolEvent {
  const id = typeof item.clientId === 'string' ? { id: item.clientId } : {};
  return { id: `${turnId}/${item.id}/accepted`, name: 'userMessage', event: { kind: 'prompt_accepted', text: toPromptText(item), ...id } };
}

export function itemStarted(turnId: string, item: ThreadItem): readonly ProtocolEvent[] {
  const tool = nameTool(item);
  return tool === undefined
    ? []
    : [{ id: `${turnId}/${item.id}/started`, name: `${item.type} started`, event: { kind: 'tool_started', tool } }];
}

export function itemCompleted(turnId: string, item: ThreadItem): readonly ProtocolEvent[] {
  if (item.type === 'userMessage') return [promptAccepted(turnId, item)];
  const tool = nameTool(item);
  return tool === undefined ? [] : [{ id: `${turnId}/${item.id}/finished`, name: item.type, event: { kind: 'tool_finished', tool } }];
}

/** Undefined for a turn that continues. `now`: for a turn without an end time. */
export function turnEnd(turn: ThreadTurn, now: Instant, limitEnds: Instant | null): ProtocolEvent | undefined {
  const id = `${turn.id}/ended`;
  const name = `turn ${turn.status}`;
  switch (turn.status) {
    case 'completed':
      return { id, name, event: { kind: 'turn_ended', message: lastWords(turn), backgroundTasks: 0 } };
    case 'failed': {
      const at = typeof turn.completedAt === 'number' ? turn.completedAt * 1_000 : now;
      return { id, name, event: failedTurn(turn.error, at, limitEnds) };
    }
    case 'interrupted':
      // A person or llmc interrupted it, or the server died during the turn: either way the agent waits for the next prompt.
      return { id, name, event: { kind: 'ready' } };
    default:
      return undefined;
  }
}

/** The events of a whole turn in the record. The tools of a finished turn have no events. */
export function turnRecorded(turn: ThreadTurn, now: Instant): readonly ProtocolEvent[] {
  const end = turnEnd(turn, now, null);
  if (end === undefined) return turn.items.flatMap((item) => itemCompleted(turn.id, item));
  return [...turn.items.filter(({ type }) => type === 'userMessage').map((item) => promptAccepted(turn.id, item)), end];
}

function lastWords({ items }: ThreadTurn): string {
  return items.findLast(({ type }) => type === 'agentMessage')?.text ?? '';
}

function nameTool(item: ThreadItem): string | undefined {
  switch (item.type) {
    case 'commandExecution':
      return 'Bash';
    case 'fileChange':
      return 'apply_patch';
    case 'mcpToolCall':
      return `${item.server ?? 'mcp'}.${item.tool ?? 'tool'}`;
    case 'dynamicToolCall':
    case 'collabAgentToolCall':
      return item.tool ?? item.type;
    case 'webSearch':
    case 'imageView':
    case 'imageGeneration':
      return item.type;
    default:
      return undefined;
  }
}
