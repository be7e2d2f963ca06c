import { LlmcError } from '../../base/error.ts';
import type { SearchResult } from '../../workers/search/search-root.ts';
import { wholeNumber } from '../queue/several-tasks.ts';
import { defineVerb } from '../verb.ts';

const USUAL = 20;
const MOST = 1_000;
const LONGEST_TERM = 200;

interface SearchOutput extends SearchResult {
  readonly terms: readonly string[];
}

export const search = defineVerb<SearchOutput>({
  name: 'search',
  summary: 'find words in tasks, answers, messages, questions and logs',
  description:
    'Searches everything that the root keeps: tasks (also those that wait or are over), messages, what agents said at the end of their turns, what they asked, the log, and what your setup, format and validation commands printed the last time for each worker. The newest comes first. Several words must all be in the same text; words in quotes are searched as they stand. Upper and lower case are the same. Needs no supervisor.',
  // The words of agents may look like commands.
  verbatim: true,
  arguments: [{ syntax: '<text...>', about: 'the words to find' }],
  options: [
    { flags: '--worker <name>', about: 'only what belongs to this worker, also one that was removed' },
    { flags: '--limit <number>', about: `how many to show (default: ${USUAL})` },
  ],
  examples: ['llmc search parser', 'llmc search "null pointer" --worker adam', 'llmc search migration --limit 5 --json'],
  async run(input, shell) {
    const terms = input.args.map((term) => term.trim()).filter((term) => term !== '');
    const limit = wholeNumber(input.text('limit') ?? String(USUAL), '--limit');
    const hint = 'llmc search "some words"';
    if (terms.length === 0) throw new LlmcError('INVALID_ARGUMENT', 'there is nothing to search for', { hint });
    if (terms.some((term) => term.length > LONGEST_TERM))
      throw new LlmcError('INVALID_ARGUMENT', `a text to search for has at most ${LONGEST_TERM} characters`, { hint });
    if (limit < 1 || limit > MOST) throw new LlmcError('INVALID_ARGUMENT', `--limit takes a number from 1 to ${MOST}`, { hint });
    const { readSearch } = await import('../logs/read-search.ts');
    return { terms, ...readSearch(shell.layout, { terms, worker: input.text('worker'), limit }) };
  },
  text: async (result, shell) => (await import('../text/search-text.ts')).searchText(result, result.terms, Date.now(), shell.display),
});
