import { expect, test } from 'vitest';
import type { AgentEvent } from '../../agents/events.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { insertAnswer } from '../../store/tables/answers.ts';
import { insertDelivery } from '../../store/tables/deliveries.ts';
import { forgetEvents, recordEvent } from '../../store/tables/events.ts';
import { insertHistory } from '../../store/tables/history.ts';
import { insertQueued, markGiven } from '../../store/tables/queue.ts';
import { pruneSaid } from '../../store/tables/said.ts';
import { type SearchRequest, searchRoot } from './search-root.ts';

let events = 0;
function reported(database: Database, at: number, event: AgentEvent, worker = 'adam'): void {
  events += 1;
  recordEvent(database, { id: `e${events}`, worker, incarnation: 1, name: event.kind, at, payload: null }, event, 'applied');
}

const found = (database: Database, request: Partial<SearchRequest>) =>
  searchRoot(database, { terms: ['parser'], limit: 20, ...request }).hits.map(
    ({ kind, worker, task, text }) => `${kind} ${worker} ${task}: ${text}`,
  );

/** A root in which everything is about a parser. */
function root(): Database {
  const database = openDatabase(':memory:');
  const task = { expects: 'commit', priority: 0, worker: null, agent: null, after: [] } as const;
  markGiven(database, insertQueued(database, { ...task, prompt: 'Fix the parser', created_ms: 10 }), 'adam', 'd1', 11);
  insertDelivery(database, {
    id: 'd1',
    worker: 'adam',
    purpose: 'task',
    text: 'Rules\n## Task\nFix the parser',
    fresh_conversation: 1,
    created_ms: 11,
  });
  insertQueued(database, { ...task, prompt: 'Then 100% of the PARSER_tests', worker: 'eve', created_ms: 20 });
  insertDelivery(database, {
    id: 'd2',
    worker: 'adam',
    purpose: 'message',
    text: 'Hello\nThe parser of json',
    fresh_conversation: 0,
    created_ms: 30,
  });
  reported(database, 40, { kind: 'turn_ended', message: 'I fixed the parser.\nAll tests pass.', backgroundTasks: 0 });
  reported(database, 41, { kind: 'question_opened', question: 'Which parser?', choices: ['json', 'yaml'] });
  reported(database, 42, { kind: 'permission_opened', tool: 'Bash', question: 'Run it?', command: 'rm -rf parser', choices: ['yes'] });
  reported(database, 43, { kind: 'turn_failed', type: 'unknown', recoverable: true, message: 'parser overloaded', resetsAt: null });
  const answer = { worker: 'adam', task: null, cut: 0, given_ms: 44 } as const;
  insertAnswer(database, { ...answer, id: 'a1', text: 'The parser on the screen', source: 'screen' });
  insertAnswer(database, { ...answer, id: 'a2', text: 'I fixed the parser.', source: 'message' });
  insertHistory(database, { at: 50, worker: null, kind: 'patrol', summary: 'nothing', details: 'the last screen\nof the parser' }, 1);
  return database;
}

test('finds tasks, messages, what agents said and the log, the newest first, each once', () => {
  using database = root();
  expect(found(database, {})).toEqual([
    'log null null: of the parser',
    'answer adam 1: The parser on the screen',
    'error adam 1: parser overloaded',
    'permission adam 1: rm -rf parser',
    'question adam 1: Which parser?',
    'answer adam 1: I fixed the parser.',
    'message adam 1: The parser of json',
    'task eve 2: Then 100% of the PARSER_tests',
    'task adam 1: Fix the parser',
  ]);
});

test.each<[string, Partial<SearchRequest>, readonly string[]]>([
  ['of one worker', { worker: 'eve' }, ['task eve 2: Then 100% of the PARSER_tests']],
  ['with all words in one text', { terms: ['parser', 'json'] }, ['question adam 1: Which parser?', 'message adam 1: The parser of json']],
  ['with words in their order', { terms: ['parser of'] }, ['message adam 1: The parser of json']],
  ['with signs that mean something to SQL', { terms: ['100%'] }, ['task eve 2: Then 100% of the PARSER_tests']],
  ['with an underscore', { terms: ['r_t'] }, ['task eve 2: Then 100% of the PARSER_tests']],
  ['and nothing for an injection', { terms: ["' OR 1=1 --"] }, []],
  ['and nothing for a worker that never was', { worker: 'zoe' }, []],
])('finds what is there %s', (_, request, lines) => {
  using database = root();
  expect(found(database, request)).toEqual(lines);
});

test('letters that are not ASCII are found in upper and lower case, several of them at once', () => {
  using database = root();
  insertHistory(database, { at: 60, worker: 'adam', kind: 'x', summary: 'GRÖSSE GEÄNDERT' }, 1);
  expect(found(database, { terms: ['größe'.replace('ß', 'ss'), 'geändert', 'g'] })).toEqual(['log adam 1: GRÖSSE GEÄNDERT']);
});

test('the output of commands is found with the task that the worker had, if all words are in it', () => {
  using database = root();
  const outputs = [
    { worker: 'adam', at: 60, text: '$ npm test\nparser.test.ts failed\n(exit status 1)' },
    { worker: 'eve', at: 5, text: 'the parser failed' },
    { worker: 'eve', at: 6, text: 'failed' },
  ];
  const { hits } = searchRoot(database, { terms: ['parser', 'failed'], limit: 20 }, outputs);
  expect(hits.map(({ kind, worker, task, text }) => [kind, worker, task, text])).toEqual([
    ['output', 'adam', 1, 'parser.test.ts failed'],
    ['output', 'eve', null, 'the parser failed'],
  ]);
});

test('a limit leaves out the oldest, and says so', () => {
  using database = root();
  expect(searchRoot(database, { terms: ['parser'], limit: 2 })).toMatchObject({ hits: [{ at_ms: 50 }, { at_ms: 44 }], more: true });
  expect(searchRoot(database, { terms: ['parser'], limit: 9 }).more).toBe(false);
});

test('what agents said outlives their events, and an event that comes again is kept once', () => {
  using database = root();
  forgetEvents(database, 'adam');
  events -= 4;
  reported(database, 40, { kind: 'turn_ended', message: 'I fixed the parser.\nAll tests pass.', backgroundTasks: 0 });
  pruneSaid(database);
  expect(found(database, { terms: ['I fixed'] })).toEqual(['answer adam 1: I fixed the parser.']);
});
