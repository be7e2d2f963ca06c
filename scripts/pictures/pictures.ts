import { draw } from '../../src/tui/draw/draw.ts';
import { Played } from '../../src/tui/samples.ts';
import type { Size } from '../../src/tui/screen/line.ts';
import { AGAIN, BLOG, REPORT, ROOTS, RUNS, TEAM, WORK } from './team.ts';
import { terminalSvg } from './terminal-svg.ts';

const SEEN = { head: 'c0ffee', diff: WORK.diff, message: 'Round prices half up', proof: null, isWhole: true };
const SMALL: Size = { columns: 60, rows: 20 };
const MIDDLE: Size = { columns: 100, rows: 24 };
const USUAL: Size = { columns: 120, rows: 32 };
const WIDE: Size = { columns: 200, rows: 36 };

/** The view as it would be with this team: keys and events go through the very code that draws it for a person. */
function played(size: Size): Played {
  return new Played(TEAM, size, RUNS).on({ kind: 'status', report: REPORT });
}

function reviewing(size: Size): Played {
  const view = played(size).press('j');
  return view.on({ kind: 'work', of: view.view.selected ?? '', shown: WORK, seen: SEEN }).on({ kind: 'shown' });
}

const picture = (make: (size: Size) => Played, size: Size, title: string) => () => terminalSvg(draw(make(size).view), size, title);

/** The pictures of docs/ui.md and of the README, by their files. */
export const PICTURES: Readonly<Record<string, () => string>> = {
  'docs/pictures/overview.svg': picture(reviewing, USUAL, 'The view: what needs you on the left, the selected diff on the right'),
  'docs/pictures/question.svg': picture((size) => played(size).press('1'), USUAL, 'A permission with its whole command and its choices'),
  'docs/pictures/comment.svg': picture(commenting, WIDE, 'A wide diff, side by side, with a comment'),
  'docs/pictures/since.svg': picture(
    again,
    MIDDLE,
    'After a rejection: what changed since then, beside what was said; zoomed and searched',
  ),
  'docs/pictures/together.svg': picture(together, USUAL, 'Two repositories in one view'),
  'docs/pictures/small.svg': picture(reviewing, SMALL, 'The view on a terminal of 60 columns and 20 rows'),
  'docs/pictures/help.svg': picture((size) => played(size).press('?'), USUAL, 'The keys, and the commands that do the same'),
};

function again(size: Size): Played {
  const view = played(size).press('j');
  view.on({ kind: 'work', of: view.view.selected ?? '', shown: AGAIN, seen: SEEN }).on({ kind: 'shown' });
  return view.press('z', '/').type('cents').press('enter');
}

function together(size: Size): Played {
  const view = new Played(TEAM.slice(1, 5), size, [], ROOTS, true).on({ kind: 'status', root: BLOG.root, report: BLOG });
  return view.on({ kind: 'work', of: view.view.selected ?? '', shown: WORK, seen: SEEN }).on({ kind: 'shown' });
}

function commenting(size: Size): Played {
  return reviewing(size)
    .press('right', 'j', 'j', 'j', 'j', 'j', 'j', 'j', 'j', 'j', 'c')
    .type('Say where invoices are rounded.')
    .press('enter');
}
