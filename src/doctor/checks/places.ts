import { commandLine } from '../../base/shell-quote.ts';
import type { Misplaced } from '../../store/places.ts';
import { type Check, failed, ok, repairable } from '../check.ts';

/** Whether llmc's folders are folders and its files are files, and whether its user can use them. */
export const placesCheck: Check = {
  name: 'places',
  async run({ misplaced }) {
    const found = misplaced();
    if (found.length === 0) return ok('files and folders are what llmc needs');
    const message = found.map(describeProblem).join('; ');
    const links = found.filter(({ problem }) => problem.kind === 'dangling');
    const [link] = links;
    if (link !== undefined && links.length === found.length)
      return failed(message, `Mount or restore what it leads to; or remove the link: ${commandLine('rm', '--', link.path)}`);
    const does = found.flatMap(listRepairs).join('; ');
    return repairable(failed(message, `llmc doctor --repair, or the next llmc up --detach. It would ${does}.`), {
      title: 'places',
      does,
      safe: true,
      step: { kind: 'places' },
    });
  },
};

function describeProblem({ path, wanted, problem }: Misplaced): string {
  if (problem.kind === 'other') return `${path} is ${problem.what}, and llmc needs a ${wanted} there`;
  return problem.kind === 'closed' ? `the mode of ${path} keeps its own user out` : `${path} is a link to nothing`;
}

function listRepairs({ path, wanted, problem }: Misplaced): readonly string[] {
  if (problem.kind === 'dangling') return [];
  return [
    problem.kind === 'other'
      ? `keep ${path} under another name`
      : `let you use ${path} again (chmod u+rw${wanted === 'folder' ? 'x' : ''})`,
  ];
}
