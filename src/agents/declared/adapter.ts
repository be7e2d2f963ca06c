import type { Agent, ScreenReading } from '../agent.ts';
import { translateSpoolWords } from '../spool-words.ts';
import type { Declaration } from './declaration.ts';
import { launchDeclared } from './launch.ts';
import { all, compile } from './patterns.ts';
import { linesOf, readScreen, showsText } from './read-screen.ts';
import { makeSafe, normalise } from './safe-text.ts';

/** Runs something that may never end; undefined when it took too long. */
export type TimeBox = <Result>(work: () => Result) => Result | undefined;

/** A machine that stands still for a moment is no fault of the patterns. */
const ATTEMPTS = 3;

/**
 * An agent made of a declaration. A person wrote its patterns, and some take years on some lines (`(a+)+$`), so all of
 * them run in a time box. One that was too slow is not tried again: until it is changed, the screen tells nothing.
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
    // Only its own adapter would know which keys answer.
    startupStep: () => undefined,
    answerStep: () => undefined,
    showsPrompt: (screen, text) => tooSlow === undefined && timeBox(() => showsText(linesOf(screen), patterns, text)) === true,
    makeSafe,
    normalise,
    resumes: declaration.resumeArgs !== undefined,
    boxIsWitness: true,
    clearText: '',
    exitText: '',
    interruptKeys: declaration.interruptKeys ?? ['Escape'],
    wipeKeys: declaration.wipeKeys ?? ['C-c'],
  };
}
