import { LlmcError } from '../base/error.ts';
import { commandLine } from '../base/shell-quote.ts';

/** Names that other tools use for a command of llmc. A command of llmc with the same name has priority. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ['list', 'ps', 'workers', 'top'],
  nuke: ['remove', 'delete', 'del', 'destroy', 'kill'],
  down: ['stop', 'halt', 'quit', 'exit', 'shutdown'],
  start: ['task', 'prompt', 'assign', 'exec'],
  up: ['launch', 'boot', 'serve', 'daemon'],
  add: ['create', 'new', 'spawn'],
  init: ['setup', 'clone'],
  message: ['tell', 'say', 'msg'],
  accept: ['merge', 'land', 'approve'],
  reject: ['decline', 'feedback'],
  review: ['diff'],
  logs: ['log', 'tail', 'history', 'events'],
  attach: ['open', 'enter', 'view'],
  why: ['explain', 'describe'],
  doctor: ['check', 'diagnose', 'health'],
  rescue: ['restore', 'recover', 'undo'],
};

/** The words of a command line that are not options; `--root` takes the word after it. */
export function listWords(argv: readonly string[]): readonly string[] {
  return argv.filter((each, index) => !each.startsWith('-') && argv[index - 1] !== '--root');
}

/** Refuses an unknown command and suggests one. commander does not know the names that other tools use. */
export async function refuseUnknownVerb(argv: readonly string[], names: readonly string[]): Promise<void> {
  const [first, second] = listWords(argv);
  const word = first === 'help' ? second : first;
  if (word === undefined || names.includes(word) || word === 'help') return;
  const meant = await meantBy(word, names);
  const asksForHelp = first === 'help' || argv.includes('--help');
  const retyped = meant === undefined ? undefined : argv.map((each) => (each === word ? meant : each));
  throw new LlmcError('INVALID_ARGUMENT', `unknown command '${word}'${meant === undefined ? '' : `; did you mean ${meant}?`}`, {
    hint: retyped === undefined ? 'llmc help' : asksForHelp ? `llmc help ${meant}` : commandLine('llmc', ...retyped),
  });
}

async function meantBy(word: string, names: readonly string[]): Promise<string | undefined> {
  const [same] = Object.entries(OTHER_WORDS).find(([name, words]) => names.includes(name) && words.includes(word)) ?? [];
  if (same !== undefined) return same;
  const { nearest } = await import('../config/nearest.ts');
  return nearest(word, names);
}
