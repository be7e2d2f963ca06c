import type { Agent } from '../agent.ts';
import { translateSpoolWords } from '../spool-words.ts';
import type { AgentDeclaration } from './declaration.ts';
import { launchDeclared } from './launch.ts';
import { PatternReader, type TimeBox } from './pattern-reader.ts';
import { listScreenLines } from './read-screen.ts';
import { makePlain, makeSafe, normalise } from './safe-text.ts';

/** Agents that ask a model over the network are silent for a few seconds in the middle of a turn. */
const QUIET_SECS = 20;

/** An agent from a declaration: by its patterns, or by its silence where it has none. */
export function declaredAgent(name: string, declaration: AgentDeclaration, timeBox: TimeBox): Agent {
  const patterns = new PatternReader(declaration, timeBox);
  const quietMs = (declaration.quietSecs ?? QUIET_SECS) * 1_000;
  // An input box that a person described takes a paste of several lines.
  const multiline = declaration.multiline ?? declaration.box !== undefined;
  return {
    name,
    defaultCommand: name,
    saysOnScreen: true,
    launch: (request) => launchDeclared(request, declaration),
    translate: translateSpoolWords,
    classify: (screen) => patterns.read(listScreenLines(screen)),
    // llmc does not know which keys answer a dialog of this agent.
    startupStep: () => undefined,
    answerStep: () => undefined,
    showsPrompt: (screen, text) => patterns.showsText(listScreenLines(screen), text),
    makeSafe: (text) => (patterns.hasBox ? makeSafe(text) : makePlain(text, multiline)),
    normalise,
    get plain() {
      return patterns.hasBox ? undefined : { quietMs };
    },
    patterns,
    resumes: declaration.resumeArgs !== undefined,
    boxIsEvidence: true,
    clearText: '',
    exitText: '',
    interruptKeys: declaration.interruptKeys ?? ['Escape'],
    get wipeKeys() {
      return declaration.wipeKeys ?? (patterns.hasBox ? ['C-c'] : ['C-u']);
    },
  };
}
