/** One thing llmc relies on, and what it does where a version of the CLI does not give it. */
export interface CanaryQuestion {
  readonly name: string;
  readonly asks: string;
  readonly without: string;
}

/** In the order they are tried. */
export const QUESTIONS = [
  {
    name: 'ready',
    asks: 'the screen after the start reads as ready, with an empty input box',
    without: 'llmc does not see that it is ready, and holds prompts back.',
  },
  {
    name: 'typed',
    asks: 'a pasted prompt is seen in the input box',
    without: 'llmc presses Enter only on text it sees, so prompts are typed again and then given up.',
  },
  {
    name: 'acknowledged',
    asks: 'a hook reports the very prompt that was sent',
    without: 'Prompts are acknowledged by the record of the conversation or by the screen, some seconds later.',
  },
  {
    name: 'busy',
    asks: 'the screen of an agent at work reads as processing',
    without: 'That it works is known from its reports alone; after a lost one llmc may take it for ready.',
  },
  {
    name: 'status file',
    asks: "the CLI's own status file says that it works",
    without: 'An interrupt by a person is noticed from the screen alone.',
  },
  {
    name: 'record',
    asks: "the prompt stands in the CLI's own record of the conversation",
    without: 'A prompt whose report gets lost is recognised on the screen alone, and llmc why shows no tokens.',
  },
  {
    name: 'end of turn',
    asks: 'a hook reports the end of the turn',
    without: 'The end of a turn is taken from the screen, a second later.',
  },
  {
    name: 'ready again',
    asks: 'the screen reads as ready once the turn is over',
    without: 'llmc does not see that it is ready for the next prompt, and holds it back.',
  },
  {
    name: 'exit',
    asks: 'the command that leaves the CLI ends its process',
    without: 'llmc ends it by a signal.',
  },
] as const satisfies readonly CanaryQuestion[];

export type QuestionName = (typeof QUESTIONS)[number]['name'];

/** What follows from a check that failed; undefined for one this llmc does not know. */
export function meaningOf(name: string): string | undefined {
  return QUESTIONS.find((question) => question.name === name)?.without;
}
