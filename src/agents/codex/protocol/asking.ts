import type { z } from 'zod';
import type { Activity } from '../../activity.ts';
import type { AgentEvent } from '../../events.ts';
import { matchingChoice } from '../../screen-rules/matching-choice.ts';
import { type RequestId, requests } from './messages.ts';
import { shownCommand } from './shown-command.ts';

/** A request of the server that waits for an answer. */
export interface Asked {
  readonly requestId: RequestId;
  readonly threadId: string;
  readonly turnId: string | null;
  /** The same id for every client, and when the server asks again on a later connection. */
  readonly id: string;
  readonly event: Extract<AgentEvent, { kind: 'permission_opened' | 'question_opened' }>;
  readonly activity: Extract<Activity, { kind: 'awaiting_permission' | 'awaiting_question' }>;
  /** The result to send back, or the next question of the same request; undefined when there is no such choice. */
  answer(choice: string): { readonly result: object } | { readonly next: Asked } | undefined;
}

/** The common fields of every request. */
interface Subject {
  readonly threadId: string;
  readonly turnId?: string | null | undefined;
  readonly itemId: string;
  readonly approvalId?: string | null | undefined;
}

type Choice = readonly [label: string, result: object];
type Params<Method extends keyof typeof requests> = z.infer<(typeof requests)[Method]>;

/** The choices of Codex's own dialog, in its order, so that the numbers match the viewer. */
const YES = 'Yes, proceed';
const NO = 'No, and tell Codex what to do differently';

/** Undefined if llmc cannot answer it; another client may. */
export function readAsked(method: string, requestId: RequestId, params: unknown, filesOf: (itemId: string) => string): Asked | undefined {
  switch (method) {
    case 'item/commandExecution/requestApproval': {
      const asked = requests[method].safeParse(params).data;
      return (
        asked &&
        permission(requestId, asked, 'Bash', withReason(shownCommand(asked.command ?? 'a command'), asked.reason), decisions(asked))
      );
    }
    case 'item/fileChange/requestApproval': {
      const asked = requests[method].safeParse(params).data;
      return (
        asked && permission(requestId, asked, 'apply_patch', withReason(filesOf(asked.itemId) || 'edit files', asked.reason), PATCH_CHOICES)
      );
    }
    case 'item/permissions/requestApproval': {
      const asked = requests[method].safeParse(params).data;
      return (
        asked &&
        permission(requestId, asked, 'more permissions', withReason(JSON.stringify(asked.permissions), asked.reason), grants(asked))
      );
    }
    case 'mcpServer/elicitation/request': {
      const asked = requests[method].safeParse(params).data;
      return asked && elicited(requestId, asked);
    }
    case 'item/tool/requestUserInput': {
      const asked = requests[method].safeParse(params).data;
      return asked && questioned(requestId, asked);
    }
    default:
      return undefined;
  }
}

const PATCH_CHOICES: readonly Choice[] = [
  [YES, { decision: 'accept' }],
  ["Yes, and don't ask again for these files", { decision: 'acceptForSession' }],
  [NO, { decision: 'cancel' }],
];

function decisions({ availableDecisions }: Params<'item/commandExecution/requestApproval'>): readonly Choice[] {
  return (availableDecisions ?? ['accept', 'cancel']).map((decision) => [describeDecision(decision), { decision }]);
}

function describeDecision(decision: string | Readonly<Record<string, unknown>>): string {
  if (decision === 'accept') return YES;
  if (decision === 'acceptForSession') return "Yes, and don't ask again for this command in this session";
  if (decision === 'decline') return 'No, continue without running it';
  if (decision === 'cancel') return NO;
  if (typeof decision === 'string') return decision;
  const [name = '', detail] = Object.entries(decision)[0] ?? [];
  const prefix = commandPrefix(detail);
  if (name === 'acceptWithExecpolicyAmendment' && prefix !== '')
    return `Yes, and don't ask again for commands that start with \`${prefix}\``;
  return `${name} ${JSON.stringify(detail)}`;
}

function commandPrefix(detail: unknown): string {
  const words = typeof detail === 'object' && detail !== null ? Object.values(detail)[0] : undefined;
  return Array.isArray(words) ? words.join(' ') : '';
}

function grants({ permissions }: Params<'item/permissions/requestApproval'>): readonly Choice[] {
  return [
    ['Yes, for this turn', { permissions, scope: 'turn' }],
    ['Yes, for this session', { permissions, scope: 'session' }],
    ['No', { permissions: {}, scope: 'turn' }],
  ];
}

function permission(requestId: RequestId, asked: Subject, tool: string, question: string, choices: readonly Choice[]): Asked {
  const shown = { tool, question, choices: choices.map(([label]) => label) };
  return {
    ...identity(requestId, asked),
    event: { kind: 'permission_opened', ...shown },
    activity: { kind: 'awaiting_permission', ...shown },
    answer: (choice) => {
      const result = choices[pick(shown.choices, choice) ?? -1]?.[1];
      return result && { result };
    },
  };
}

function elicited(requestId: RequestId, asked: Params<'mcpServer/elicitation/request'>): Asked {
  const results = { Accept: { action: 'accept', content: {} }, Decline: { action: 'decline' }, Cancel: { action: 'cancel' } };
  const choices = Object.entries(results).map(([label, result]): Choice => [label, { content: null, _meta: null, ...result }]);
  const question = asked.message || 'it asks for input';
  return permission(requestId, { ...asked, itemId: `elicitation-${requestId}` }, `MCP server ${asked.serverName}`, question, choices);
}

/** Codex asks several questions at once; a person gets one after the other, as in its own dialog. `given`: the answers so far. */
function questioned(requestId: RequestId, asked: Params<'item/tool/requestUserInput'>, given: readonly string[] = []): Asked | undefined {
  const { questions } = asked;
  const open = questions[given.length];
  if (open === undefined) return undefined;
  const labels = (open.options ?? []).map(({ label }) => label);
  const shown = { question: open.question, choices: labels };
  return {
    ...identity(requestId, asked),
    event: { kind: 'question_opened', ...shown },
    activity: { kind: 'awaiting_question', questionType: labels.length === 0 ? 'free_text' : 'multiple_choice', ...shown },
    answer: (choice) => {
      const text = choice.trim();
      if (text === '') return undefined;
      const answers = [...given, labels[pick(labels, text) ?? -1] ?? text];
      const next = questioned(requestId, asked, answers);
      if (next !== undefined) return { next };
      return { result: { answers: Object.fromEntries(questions.map(({ id }, index) => [id, { answers: [answers[index]] }])) } };
    },
  };
}

function identity(requestId: RequestId, asked: Subject): Pick<Asked, 'requestId' | 'threadId' | 'turnId' | 'id'> {
  const turnId = asked.turnId ?? null;
  return {
    requestId,
    threadId: asked.threadId,
    turnId,
    id: [turnId ?? 'no-turn', asked.itemId, asked.approvalId ?? '', 'asked'].join('/'),
  };
}

function withReason(what: string, reason: string | null | undefined): string {
  return reason === null || reason === undefined || reason === '' ? what : `${what} (${reason})`;
}

/** `yes` and `no` mean the first choice of their kind, which is the simplest. */
function pick(labels: readonly string[], choice: string): number | undefined {
  const found = matchingChoice(
    labels.map((label, index) => ({ label, number: index + 1 })),
    choice,
  );
  const plain = /^(?:y|yes|n|no)$/i.test(choice.trim()) ? choice.trim().toLowerCase() : undefined;
  const first = plain === undefined ? -1 : labels.findIndex((label) => label.toLowerCase().startsWith(plain));
  return found ?? (first === -1 ? undefined : first);
}
