/** A fact that llmc relies on, and what llmc does with a version of the CLI that does not provide it. */
export interface CanaryQuestion {
  readonly name: string;
  readonly asks: string;
  readonly without: string;
}

const TYPE_INSTEAD = 'channel = "typing" in its [agents.…] table selects the keyboard channel.';

/** For an agent with a protocol: which channel llmc would use. */
export const CHANNEL_QUESTIONS = [
  {
    name: 'probe',
    asks: 'the program answers when it is asked for its protocol',
    without: `llmc does not start its workers, and asks again later; ${TYPE_INSTEAD}`,
  },
  {
    name: 'protocol',
    asks: 'the program has the protocol that llmc knows',
    without: 'llmc uses the keyboard channel instead.',
  },
] as const satisfies readonly CanaryQuestion[];

/** For the keyboard channel, in the order of the checks. */
export const KEYBOARD_QUESTIONS = [
  {
    name: 'ready',
    asks: 'llmc classifies the screen after the start as ready, with an empty input box',
    without: 'llmc does not detect that it is ready, and holds prompts back.',
  },
  {
    name: 'typed',
    asks: 'a pasted prompt appears in the input box',
    without: 'llmc presses Enter only if it finds the text, so it types prompts again and then gives up.',
  },
  {
    name: 'acknowledged',
    asks: 'a hook reports exactly the prompt that was sent',
    without: 'llmc acknowledges prompts by the transcript or by the screen, some seconds later.',
  },
  {
    name: 'busy',
    asks: 'llmc classifies the screen of a working agent as processing',
    without: 'Only its reports show that it works; after a lost report llmc may consider it ready.',
  },
  {
    name: 'status file',
    asks: "the CLI's own status file shows that it works",
    without: 'Only the screen shows an interrupt by a person.',
  },
  {
    name: 'record',
    asks: "the CLI's transcript has the prompt",
    without: 'Only the screen shows a prompt whose report got lost, and llmc why shows no tokens.',
  },
  {
    name: 'end of turn',
    asks: 'a hook reports the end of the turn',
    without: 'llmc detects the end of a turn on the screen, a second later.',
  },
  {
    name: 'ready again',
    asks: 'llmc classifies the screen as ready after the turn',
    without: 'llmc does not detect that it is ready for the next prompt, and holds it back.',
  },
  {
    name: 'exit',
    asks: 'the exit command of the CLI ends its process',
    without: 'llmc ends the process with a signal.',
  },
] as const satisfies readonly CanaryQuestion[];

/** For the protocol channel, in the order of the checks. */
export const PROTOCOL_QUESTIONS = [
  {
    name: 'server',
    asks: 'its server starts and accepts a connection',
    without: `llmc starts it again and then notifies a person; ${TYPE_INSTEAD}`,
  },
  {
    name: 'conversation',
    asks: 'a conversation opens, and the server reports that it is ready',
    without: `llmc holds prompts back and notifies a person; ${TYPE_INSTEAD}`,
  },
  {
    name: 'taken',
    asks: 'the server reports the prompt with the id that llmc sent',
    without: `llmc searches the transcript, and marks the prompt as not delivered; ${TYPE_INSTEAD}`,
  },
  {
    name: 'at work',
    asks: 'the server reports that the agent works',
    without: 'Only its events show that it works.',
  },
  {
    name: 'turn over',
    asks: 'the server reports the end of the turn',
    without: 'llmc detects the end of a turn by the activity that the server reports, a second later.',
  },
  {
    name: 'at rest',
    asks: 'the server reports that it is ready after the turn',
    without: 'llmc does not detect that it is ready for the next prompt, and holds it back.',
  },
  {
    name: 'taken up',
    asks: 'another connection resumes the conversation and finds the prompt in it',
    without: 'After a lost connection llmc does not know whether a prompt arrived: it holds prompts back and notifies a person.',
  },
  {
    name: 'kept',
    asks: "the CLI's transcript on disk has the prompt",
    without: 'After a crash of the agent llmc sends the task again into an empty conversation, and llmc why shows no tokens.',
  },
  {
    name: 'viewer',
    asks: "the CLI's own interface shows the conversation to a person",
    without: 'A person cannot watch or type; the agent still works.',
  },
] as const satisfies readonly CanaryQuestion[];

export const QUESTIONS = [...CHANNEL_QUESTIONS, ...KEYBOARD_QUESTIONS, ...PROTOCOL_QUESTIONS] as const;

export type KeyboardQuestion = (typeof KEYBOARD_QUESTIONS)[number]['name'];
export type ProtocolQuestion = (typeof PROTOCOL_QUESTIONS)[number]['name'];
export type CanaryQuestionName = (typeof QUESTIONS)[number]['name'];

/** What a failed check means for llmc; undefined for a name that this version does not know. */
export function findMeaning(name: string): string | undefined {
  return QUESTIONS.find((question) => question.name === name)?.without;
}
