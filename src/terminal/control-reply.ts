/** One reply of tmux in control mode: the lines between `%begin` and `%end` or `%error`. */
export interface ControlReply {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

/** A pane of tmux 3.3a has 10,000 lines at most. */
const MOST_LINES = 20_000;

/**
 * Splits the stream of a control client into replies. Ignores notifications, which are outside of blocks.
 * A block ends only with its own time and number, so a screen that shows such a line cannot end it early.
 */
export function controlReader(onReply: (reply: ControlReply) => void): (line: string) => void {
  let open: { readonly mark: string; readonly lines: string[] } | undefined;
  return (line) => {
    if (open === undefined) {
      const begin = /^%begin (\d+ \d+ \d+)$/.exec(line);
      if (begin !== null) open = { mark: begin[1] ?? '', lines: [] };
      return;
    }
    const { mark, lines } = open;
    if (line === `%end ${mark}` || line === `%error ${mark}`) {
      open = undefined;
      onReply({ ok: line.startsWith('%end'), lines });
      return;
    }
    if (lines.length < MOST_LINES) lines.push(line);
  };
}

/** Quotes a word for tmux's command parser: inside single quotes everything is literal except a single quote. */
export function quoteWord(word: string): string {
  return /^[\w@%=:.,/+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
