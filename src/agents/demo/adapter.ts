import type { Agent } from '../agent.ts';
import { resumeRefusal } from '../screen-rules/error-text.ts';
import { translateSpoolWords } from '../spool-words.ts';
import { answerStep, startupStep } from './answer.ts';
import { classifyDemo } from './classify.ts';
import { launchDemo } from './launch.ts';
import { demoProgramPath } from './program-path.ts';
import { rehearsal } from './rehearsal.ts';
import { makeSafe, normalise } from './safe-text.ts';
import { showsPrompt } from './shows-prompt.ts';
import { transcript } from './transcript.ts';

/** The built-in agent: a real program in a real terminal that needs no account and no network. */
export const demoAgent: Agent = {
  name: 'demo',
  defaultCommand: demoProgramPath(),
  launch: launchDemo,
  translate: translateSpoolWords,
  classify: classifyDemo,
  startupStep,
  answerStep,
  showsPrompt,
  makeSafe,
  normalise,
  rehearsal,
  transcript,
  refusals: [resumeRefusal(/^demo agent: No conversation found with session ID/)],
  clearText: '/clear',
  compaction: { kind: 'command', text: '/compact' },
  exitText: '/exit',
  interruptKeys: ['Escape'],
  wipeKeys: ['C-c'],
};
