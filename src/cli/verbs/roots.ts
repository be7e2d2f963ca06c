import { resolve } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { shellWord } from '../../base/shell-quote.ts';
import type { RootLine } from '../roots/list-roots.ts';
import { defineVerb } from '../verb.ts';

interface Roots {
  readonly roots: readonly RootLine[];
  readonly forgotten: string | null;
}

export const roots = defineVerb<Roots>({
  name: 'roots',
  summary: 'list your roots, each with its repository',
  description:
    'Prints each root of this user: its repository, whether its supervisor runs, how many workers it has, and how many of them need you. A * marks the root that commands in the current folder use. A root whose folder is gone stays in the list until --forget removes it there; --forget never touches the root itself. Starts no supervisor.',
  arguments: [],
  options: [{ flags: '--forget <dir>', about: 'leave this root out of the list; llmc up in it brings it back' }],
  examples: ['llmc roots', 'llmc roots --json', 'llmc roots --forget ~/llmc-old'],
  async run(input, shell) {
    const { listRoots } = await import('../roots/list-roots.ts');
    const forget = input.text('forget');
    if (forget === undefined) return { roots: await listRoots(shell.options), forgotten: null };
    const { forgetRoot } = await import('../../store/known-roots.ts');
    const { rootsFolder } = await import('../roots/root-here.ts');
    const root = resolve(forget);
    if (!forgetRoot(rootsFolder(), root))
      throw new LlmcError('ROOT_NOT_FOUND', `${root} is not in the list of roots`, { hint: 'llmc roots' });
    return { roots: await listRoots(shell.options), forgotten: root };
  },
  async text({ roots: lines, forgotten }, shell) {
    const { table } = await import('../text/table.ts');
    if (forgotten !== null) return `${forgotten} is no longer in the list. The folder itself was not touched.`;
    if (lines.length === 0) return 'No roots yet. Go into a git repository and type llmc, or name one: llmc init --source <repository>';
    const cells = lines.map(({ name, root, source, here, state, workers, needs_you }) => [
      here ? '*' : '',
      name,
      root,
      state === 'gone' || state === 'broken' ? state : `${state}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
      needs_you === 0 ? '' : `${needs_you} ${needs_you === 1 ? 'needs' : 'need'} you`,
      source,
    ]);
    const gone = lines.find(({ state }) => state === 'gone');
    const problems = lines.flatMap(({ name, state, problem, root }) =>
      problem === null || state === 'gone' ? [] : [`${name}: ${problem} – llmc --root ${shellWord(root)} doctor`],
    );
    const isHere = lines.some(({ here }) => here);
    return [
      table([['', 'NAME', 'ROOT', 'STATE', 'WAITING', 'REPOSITORY'], ...cells], shell.display),
      ...problems,
      ...(isHere
        ? []
        : ['Type llmc inside one of these repositories, or name a root: llmc --root <root>. For another repository: llmc init']),
      ...(gone === undefined ? [] : [`A root that is gone leaves the list with: llmc roots --forget ${shellWord(gone.root)}`]),
    ].join('\n');
  },
});
