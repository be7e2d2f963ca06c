import type { Agent, ScreenReading } from '../agent.ts';
import { translateSpoolWords } from '../spool-words.ts';
import type { Declaration } from './declaration.ts';
import { launchDeclared } from './launch.ts';
import { all, compile } from './patterns.ts';
import { linesOf, readScreen, showsText } from './read-screen.ts';
import { makeSafe, normalise } from './safe-text.ts';

/** Runs a function that may never end; undefined after the timeout. */
export type TimeBox = <Result>(work: () => Result) => Result | undefined;

/** Try several times, because a stalled machine can also cause a timeout. */
const ATTEMPTS = 3;

/**
 * An agent from a declaration. Some patterns that people write never end on some lines (`(a+)+$`), so llmc runs all of
 * them with a timeout. It does not run a slow pattern again until the user changes it; until then the screen is unknown.
 */
export function declaredAgent(name: string, declaration: Declaration, timeBox: TimeBox): Agent {
  const patterns = compile(declaration);
  let tooSlow: string | undefined;

  const tooSlowOn = (lines: readonly string[]): string | undefined =>
    all(patterns).find(({ expression }) => timeBox(() => lines.some((line) => expression.test(line))) === undefined)?.name;

  const unreadable = (rule: string): ScreenReading => ({ activity: { kind: 'unknown' }, confidence: 0, rule, box: { kind: 'absent' } });

  return {
    name,
    defaultCommand: name,
    launch: (request) => launchDeclared(request, declaration),
    translate: translateSpoolWords,
    classify(screen) {
      const lines = linesOf(screen);
      for (let attempt = 0; attempt < ATTEMPTS && tooSlow === undefined; attempt += 1) {
        const reading = timeBox(() => readScreen(lines, patterns));
        if (reading !== undefined) return reading;
        tooSlow = tooSlowOn(lines);
      }
      return unreadable(
        tooSlow === undefined
          ? 'the machine was too slow to read the screen'
          : `the pattern ${tooSlow} takes too long; write it without nested repeats`,
      );
    },
    // llmc does not know which keys answer a dialog of this agent.
    startupStep: () => undefined,
    answerStep: () => undefined,
    showsPrompt: (screen, text) => tooSlow === undefined && timeBox(() => showsText(linesOf(screen), patterns, text)) === true,
    makeSafe,
    normalise,
    resumes: declaration.resumeArgs !== undefined,
    boxIsEvidence: true,
    clearText: '',
    exitText: '',
    interruptKeys: declaration.interruptKeys ?? ['Escape'],
    wipeKeys: declaration.wipeKeys ?? ['C-c'],
  };
}
