import type { Agent } from '../agent.ts';
import { answerStep, startupStep } from './answer.ts';
import { protocol } from './protocol/protocol.ts';
import { rehearsal } from './rehearsal.ts';
import { rollout } from './rollout.ts';
import { makeSafe, normalise } from './safe-text.ts';
import { classify } from './screen/classify.ts';
import { showsPrompt } from './screen/shows-prompt.ts';
import { conversationOn } from './screen/title.ts';
import { translate } from './translate.ts';
import { typingLaunch } from './typing-launch.ts';

/** Ctrl-U takes one line, or the break before it; a text of up to a thousand characters stands unfolded in the box. */
const WIPE_PRESSES = 60;

/**
 * Codex, spoken to as a server with its own terminal interface as the viewer; or, where that is not wanted, typed into and read
 * through its hooks, its record of the conversation, its title and its screen.
 */
export const codexAgent: Agent = {
  name: 'codex',
  defaultCommand: 'codex',
  recordedVersions: ['0.166.0'],
  // Without input it ends at once. Seven started together in a new home: five ended with "failed to migrate state DB".
  prepare: ['app-server'],
  protocol,
  launch: typingLaunch,
  translate,
  classify,
  conversationOn,
  startupStep,
  answerStep,
  showsPrompt,
  makeSafe,
  normalise,
  transcript: rollout,
  rehearsal,
  // Not /new, which asks where the new conversation should run.
  clearText: '/clear',
  exitText: '/quit',
  interruptKeys: ['Escape'],
  // Never Ctrl-C: on an empty box a single one ends Codex.
  wipeKeys: Array.from({ length: WIPE_PRESSES }, () => 'C-u'),
};
