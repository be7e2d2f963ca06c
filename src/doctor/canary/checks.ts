/** One thing llmc relies on, and what it does where a version of the CLI does not give it. */
export interface CanaryQuestion {
  readonly name: string;
  readonly asks: string;
  readonly without: string;
}

const TYPE_INSTEAD = 'with channel = "typing" in its [agents.…] table it is typed to.';

/** Of an agent that has a protocol: which way llmc would go. */
export const OF_THE_WAY = [
  {
    name: 'probe',
    asks: 'asked for its protocol, the program gives an answer',
    without: `llmc does not start its workers, and asks again; ${TYPE_INSTEAD}`,
  },
  {
    name: 'protocol',
    asks: 'the answer is that it speaks the protocol llmc knows',
    without: 'llmc types to it instead.',
  },
] as const satisfies readonly CanaryQuestion[];

/** Of an agent that is typed to, in the order they are tried. */
export const OF_TYPING = [
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

/** Of an agent that is spoken to, in the order they are tried. */
export const OF_SPEAKING = [
  {
    name: 'server',
    asks: 'its server starts, and takes a connection',
    without: `llmc starts it again and then calls a person; ${TYPE_INSTEAD}`,
  },
  {
    name: 'conversation',
    asks: 'a conversation opens, and the server says that it is ready',
    without: `llmc holds prompts back and calls a person; ${TYPE_INSTEAD}`,
  },
  {
    name: 'taken',
    asks: 'the prompt comes back from the server under the id it was sent with',
    without: `llmc looks for it in the record of the conversation, and gives it up as not delivered; ${TYPE_INSTEAD}`,
  },
  {
    name: 'at work',
    asks: 'the server says that the agent works',
    without: 'That it works is known from its reports alone.',
  },
  {
    name: 'turn over',
    asks: 'the server reports the end of the turn',
    without: 'The end of a turn is taken from what the server says the agent is doing, a second later.',
  },
  {
    name: 'at rest',
    asks: 'the server says that it is ready once the turn is over',
    without: 'llmc does not see that it is ready for the next prompt, and holds it back.',
  },
  {
    name: 'taken up',
    asks: 'another connection takes the conversation up, and finds the prompt in it',
    without: 'After a lost connection llmc cannot tell whether a prompt arrived: it holds prompts back and calls a person.',
  },
  {
    name: 'kept',
    asks: "the prompt stands in the CLI's own record of the conversation, on disk",
    without: 'After a crash of the agent its task is told anew in an empty conversation, and llmc why shows no tokens.',
  },
  {
    name: 'viewer',
    asks: "the CLI's own interface shows the conversation to a person",
    without: 'Nobody can look on or type; the agent works all the same.',
  },
] as const satisfies readonly CanaryQuestion[];

export const QUESTIONS = [...OF_THE_WAY, ...OF_TYPING, ...OF_SPEAKING] as const;

export type TypingQuestion = (typeof OF_TYPING)[number]['name'];
export type SpeakingQuestion = (typeof OF_SPEAKING)[number]['name'];
export type QuestionName = (typeof QUESTIONS)[number]['name'];

/** What follows from a check that failed; undefined for one this llmc does not know. */
export function meaningOf(name: string): string | undefined {
  return QUESTIONS.find((question) => question.name === name)?.without;
}
