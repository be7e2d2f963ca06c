import type { ReviewResult } from '../../workers/review/review-result.ts';
import { ignoreInterrupts } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import { reviewBody, reviewHead } from '../text/review-text.ts';
import { sinceLast, sinceText } from '../text/since-text.ts';
import type { Interface } from './interfaces.ts';

export interface Viewing {
  readonly interface: Interface;
  readonly only_stat: boolean;
  /** All of the work, also if it was sent back and only what changed since then could be shown. */
  readonly whole: boolean;
}

export interface Shown {
  /** What is left to print. */
  readonly text: string;
  /** A pager has shown the whole review; the text is its head. */
  readonly isPaged: boolean;
}

export interface ShowingOptions {
  readonly say?: Shell['say'];
  /** The keys that decide after the pager, for a person who waits for them in the pager. */
  readonly keys?: string;
}

/** Shows the work in the pager or the requested viewer on a terminal. */
export async function showReview(
  result: ReviewResult & Viewing,
  shell: Shell,
  { say = shell.say, keys }: ShowingOptions = {},
): Promise<Shown> {
  const head = reviewHead(result, shell.display);
  // Other viewers compare the commits themselves.
  const comparesItself = result.interface === 'difftastic' || result.interface === 'vscode';
  const shown = result.whole || comparesItself ? result : sinceLast(result);
  const said = shown === result ? '' : `${shell.atRoot(sinceText(result))}\n\n`;
  if (result.only_stat) return { text: `${head}\n\n${said}${shown.stat}`, isPaged: false };
  const plain = () => `${head}\n\n${said}${reviewBody(shown, shell.options.color)}`;
  // A script reads the plain diff: it needs none of the viewers, which take longer to load than the rest of the command.
  if (result.interface === 'diff' && !shell.isInteractive) return { text: plain(), isPaged: false };
  const { found, inDifftastic, mayMislead, page } = await import('./viewers.ts');
  if (result.interface === 'vscode' && (await found('code'))) {
    using _ = ignoreInterrupts();
    await (await import('./vscode.ts')).openInVsCode(result, shell);
    return { text: head, isPaged: false };
  }
  // Nobody requested it, so it may not show less or more than the diff, and llmc does not mention that it is missing.
  const isWanted =
    result.interface === 'best' ? shown === result && !mayMislead(result) && (await found('difft')) : result.interface !== 'diff';
  const other = isWanted ? await inDifftastic(result, shell, say) : undefined;
  const text = other === undefined ? plain() : `${head}\n\n${other}`;
  const isPaged = shell.isInteractive && (await page(text, keys));
  return { text: isPaged ? head : text, isPaged };
}
