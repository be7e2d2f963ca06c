import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFullRun } from '../support/full-run.ts';
import type { World } from '../support/world.ts';

const source = (key: string) => ({
  key,
  title: 'A study of it',
  authors: ['Smith, Jane'],
  year: 2021,
  type: 'review',
  doi: `10.1000/${key}`,
  url: `https://doi.org/10.1000/${key}`,
  quote: 'We found it in 12 of 40 cases.',
  where: 'abstract',
  finding: 'It occurs in about a third of cases.',
});
export const SOURCES = [source('smith2021'), source('lee2019')];
/** Six in the full run. */
export const SECTIONS = isFullRun ? ['s1', 's2', 's3', 's4', 's5', 's6'] : ['s1', 's2'];
export const STORIES = ['s1', 's2', 's3', 's4', 's5'];
const decisions = [{ decision: 'since 2010', why: 'earlier work used another method' }];
export const SCOPE = {
  question: 'How often does it happen?',
  includes: ['x'],
  excludes: ['y'],
  decisions,
  angles: ['reviews', 'critics'].map((id) => ({ id, search: id })),
};
export const OUTLINE = {
  thesis: 'It happens in a third of cases.',
  gaps: ['long term'],
  decisions,
  sections: SECTIONS.map((id) => ({ id, title: id, answers: 'a part', claims: ['x'], sources: ['smith2021'], words: 400 })),
};
const SYNTHESIS = { addition_percentage: 0, additions: [], conflicts: [], decisions };

/** The text of one section, and the whole document that the editor makes of the sections. */
const sectionOf = (id: string) => `## ${id}\n\nIt happens in a third of cases [@smith2021].\n`;
export const DOCUMENT = `# Introduction\n${SECTIONS.map(sectionOf).join('')}`;

/** What agents write down about what they did: `<worker> <what>`. */
export const notesOf = (world: World): string => join(world.dir, 'notes');

/** A turn that leaves these files for a prompt that asks for the first of them. */
export const leaving = (files: Readonly<Record<string, unknown>>) => ({
  when: `out/${Object.keys(files)[0]}`,
  steps: Object.entries(files).map(([file, content]) => ({ leave: { file, content: JSON.stringify(content) } })),
});
const running = (when: string, ...lines: readonly string[]) => ({ when, steps: [{ run: lines.join(' && ') }] });

/** The agents of literature-review and stories: what they leave depends on the task alone, and they count what they write. */
export function playBuiltIns(world: World): void {
  const play = (role: string, ...turns: readonly object[]) =>
    writeFileSync(join(world.scenarios, `${role}.yaml`), JSON.stringify({ turns }));
  const note = (what: string) => `echo "$LLMC_WORKER ${what}" >> ${notesOf(world)}`;
  const write = (file: string, text: string) =>
    `printf %s ${JSON.stringify(text).replaceAll('\\n', '\\\\n')} | sed 's/\\\\n/\\n/g' > .llmc-task/out/${file}`;
  // As told, it looks at what it has left already: its session may have ended before llmc saw the end of its turn.
  const unless = (file: string, ...lines: readonly string[]) => `{ test -s .llmc-task/out/${file} || { ${lines.join(' && ')}; }; }`;
  play(
    'lead',
    leaving({ 'scope.yaml': SCOPE }),
    leaving({ 'sources.yaml': SOURCES, 'outline.yaml': OUTLINE }),
    { when: 'out/intro.md', steps: [{ leave: { file: 'intro.md', content: '# Introduction\n' } }] },
    {
      when: 'out/draft.md',
      steps: [
        { leave: { file: 'synthesis.yaml', content: JSON.stringify(SYNTHESIS) } },
        { run: 'cat .llmc-task/in/4/intro.md .llmc-task/in/5/s?/section.md > .llmc-task/out/draft.md' },
      ],
    },
  );
  play('searcher', leaving({ 'reviews.yaml': SOURCES, 'search.md': 'queries' }));
  play(
    'writer',
    ...SECTIONS.map((id) => running(`section.md: ${id}`, unless('section.md', write('section.md', sectionOf(id)), note(`section ${id}`)))),
  );
  play(
    'editor',
    running(
      'out/review.md',
      'cp .llmc-task/in/7/draft.md .llmc-task/out/review.md',
      'echo @misc{smith2021} > .llmc-task/out/references.bib',
    ),
  );
  play(
    'developer',
    ...STORIES.map((id) => ({
      when: `Build the story ${id}:`,
      steps: [{ edit: { path: `stories/{{worker}}-${id}.md`, content: `${id}\n` } }, { commit: `Story ${id} by {{worker}}` }],
    })),
  );
}
