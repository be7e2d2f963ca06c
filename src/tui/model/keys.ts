import { diffKeys } from '../diff/keys.ts';
import { findChoices } from './choices.ts';
import { foundIn } from './find.ts';
import { isOfQueue } from './typing.ts';
import { selectedIn, type View } from './view.ts';

export interface KeyHint {
  readonly key: string;
  readonly does: string;
}

const hint = (key: string, does: string): KeyHint => ({ key, does });

/** The keys that work now, the most useful first. */
export function keysFor(view: View): readonly KeyHint[] {
  const { mode } = view;
  switch (mode.kind) {
    case 'browse':
      return browseKeys(view);
    case 'typing': {
      if (mode.asked.kind === 'find') return [hint('enter', 'search'), hint('esc', 'leave')];
      if (mode.asked.kind === 'filter') return [hint('enter', 'keep the filter'), hint('esc', 'end it')];
      const canEdit = mode.asked.kind === 'task' || isOfQueue(mode.asked);
      const completes = mode.asked.kind === 'command' ? [hint('tab', 'complete')] : [];
      const file = mode.asked.kind === 'task' ? [hint('@file', 'tasks of a file')] : [];
      return [
        hint('enter', 'send'),
        hint('alt+enter', 'new line'),
        ...(mode.asked.kind === 'task' ? [hint('tab', 'agent'), hint('shift+tab', 'model')] : []),
        ...(canEdit ? [hint('ctrl+e', 'editor')] : []),
        ...file,
        ...completes,
        hint('esc', 'leave'),
      ];
    }
    case 'confirm':
      if (mode.offer !== undefined) return [hint('y/enter', 'yes'), hint('n', mode.offer.no.does), hint('q', mode.offer.leaves)];
      return [hint('y', 'yes'), hint('any other key', 'no')];
    case 'choice':
      return [hint('enter', 'send the marked answer'), hint('1…9', 'mark another'), hint('j/k', 'scroll'), hint('esc', 'leave')];
    case 'queue':
      return [
        hint('j/k', 'select'),
        hint('J/K', 'move'),
        hint('e', 'edit'),
        hint('x', 'cancel'),
        hint('n', 'new task'),
        hint('q', 'close'),
      ];
    case 'roots':
      return [
        hint('enter', 'show'),
        hint('A', 'all together'),
        hint('s', 'start its supervisor'),
        hint('j/k', 'select'),
        hint('esc', 'close'),
      ];
    default:
      return [hint('j/k', 'scroll'), hint('esc', 'close')];
  }
}

function browseKeys(view: View): readonly KeyHint[] {
  const item = selectedIn(view);
  const isAnswer = item?.kind === 'worker' && item.worker.attention_kind === 'answer';
  const isReview = item?.kind === 'worker' && item.group === 'to review' && !isAnswer;
  const choices = findChoices(item);
  const inDiff = view.pane?.content.kind === 'diff' && view.focus === 'pane' ? diffKeys(view.pane.content.diff) : [];
  const isTaken = (key: string): boolean => inDiff.some(({ keys }) => keys === key);
  const inPane = view.focus === 'pane';
  const isSearched = inPane && foundIn(view) !== undefined;
  return [
    ...(isSearched ? [hint('n/N', 'next or previous match'), hint('esc', 'end the search')] : []),
    ...(isReview ? [hint('a', 'accept'), hint('r', 'reject')] : []),
    ...(isAnswer ? [hint('d', 'dismiss')] : []),
    ...(choices === undefined || choices.options.length === 0 ? [] : [hint(`1…${Math.min(9, choices.options.length)}`, 'answer')]),
    ...(item?.kind === 'worker' && !isTaken('enter') ? [hint('enter', 'attach')] : []),
    ...(item?.kind === 'worker' ? [hint('space', item.group === 'asks' ? 'answer in words' : 'message')] : []),
    ...(inPane
      ? isSearched
        ? []
        : [hint('esc', view.zoomed ? 'end the zoom' : 'back')]
      : item === undefined
        ? []
        : [hint('→', 'into the pane')]),
    ...(view.tab === 'why' ? [hint('e', view.withEvidence ? 'short' : 'evidence')] : []),
    ...(isReview && view.tab === 'diff' ? [hint('e', 'edit the message')] : []),
    ...inDiff.filter(({ keys }) => !isSearched || keys !== 'N P').map(({ keys, does }) => hint(keys, does)),
    ...(inPane ? [hint('/', 'search')] : []),
    ...(item === undefined ? [] : [hint('z', view.zoomed ? 'show the list' : 'zoom')]),
    hint('tab', 'next pane'),
    ...(isSearched ? [] : [hint('n', 'task')]),
    hint('q', 'queue'),
    hint('?', 'help'),
    hint('Q', 'quit'),
    ...(inPane ? [] : [hint('/', 'filter')]),
    hint(':', 'command'),
    hint('u', 'undo'),
    hint('R', 'repositories'),
    hint('$', 'costs'),
  ];
}

interface HelpKey extends KeyHint {
  /** The command that does the same. */
  readonly command: string;
}

const help = (key: string, does: string, command = ''): HelpKey => ({ key, does, command });

/** All keys, for the help. Each is also a command. */
export const HELP: readonly { readonly heading: string; readonly keys: readonly HelpKey[] }[] = [
  {
    heading: 'Decide',
    keys: [
      help('a', 'accept the work on the screen, go to the next', 'llmc accept <worker>'),
      help('r', 'reject: your comments, and words beside them', 'llmc reject --worker <worker> "…"'),
      help('1 … 9', 'mark an answer below the whole question', 'llmc answer <worker> <n>, llmc decide <run> <n>'),
      help('  then enter', 'send it'),
      help('space', 'reply: answer in words, else a message', 'llmc answer <worker> "…", llmc message …'),
      help('m', 'message', 'llmc message <worker> "…"'),
      help('d', 'dismiss an answer', 'llmc dismiss <worker>'),
      help('u', 'undo the last accept; shows it first', 'llmc undo'),
    ],
  },
  {
    heading: 'Tasks',
    keys: [
      help('n', 'a new task', 'llmc start --queue "…"'),
      help('  tab shift+tab', 'choose its agent, its model', 'llmc start --agent <name> --model <model>'),
      help('  @file', 'the tasks of a file, --- between them', 'llmc start - < file'),
      help('  ctrl+e', 'write it in $EDITOR, with a template', 'llmc start --template <name>'),
      help('q', 'the queue and messages: edit, cancel', 'llmc queue, llmc message --list'),
    ],
  },
  {
    heading: 'Look',
    keys: [
      help('j k ↓ ↑ g G', 'move; in the pane: scroll', 'llmc status'),
      help('tab shift+tab ] [', 'the next and previous pane', 'llmc diff, llmc why, llmc logs'),
      help('→ l   ← h esc', 'into the pane, and back'),
      help('J K ctrl+d ctrl+u', 'scroll the pane from the list'),
      help('e', 'in why: all its evidence', 'llmc why <worker> --full'),
      help('enter', 'attach to the terminal of the agent', 'llmc attach <worker>'),
      help('/', 'filter the list; esc ends it', 'llmc status'),
      help('z', 'the pane alone on the screen, and back'),
      help('S', 'search all tasks, answers and logs', 'llmc search "…"'),
      help('$', 'what the agents use', 'llmc status'),
      help('R', 'your repositories: what waits; show, start', 'llmc roots'),
      help('A', 'all repositories together, and back to one', 'llmc ui --all'),
    ],
  },
  {
    heading: 'In the pane',
    keys: [help('/', 'search it; esc ends that'), help('n N', 'the next and previous match')],
  },
  {
    heading: 'In the diff',
    keys: [
      help('c x v', 'comment on the line, delete it, select lines', 'llmc reject --at <file:line> "…"'),
      help('J K N P', 'next and previous hunk, file'),
      help('f o', 'the files; all about the work', 'llmc review <worker>'),
      help('t', 'since your last review, or all of it', 'llmc review <worker> --whole'),
      help('s w W', 'side by side, white space, wrap', 'llmc diff --ignore-whitespace'),
      help('e', 'edit the commit message in $EDITOR', 'llmc accept <worker> --edit'),
    ],
  },
  {
    heading: 'Rest',
    keys: [
      help(':', 'any command of llmc', 'llmc …'),
      help('M', 'mouse off and on; shift+drag selects text anyway'),
      help('ctrl+l', 'load the pane again'),
      help('ctrl+z', 'back to the shell; fg returns'),
      help('Q ctrl+c', 'leave; everything goes on'),
    ],
  },
];
