/** The tmux of a person, in which another one is opened. */
export interface OuterTmux {
  readonly prefix: string;
  readonly prefix2: string;
  /** As `list-keys -T prefix` prints them. */
  readonly bindings: string;
}

/** What `outerKeys` printed; undefined if it printed something else. */
export function readOuterTmux(printed: string): OuterTmux | undefined {
  const [, prefix, prefix2, bindings = ''] = /^(\S+) (\S+)\n(.*)$/s.exec(printed) ?? [];
  return prefix === undefined || prefix2 === undefined ? undefined : { prefix, prefix2, bindings };
}

/**
 * The keys that leave an attached session, in words: `Ctrl-b d`. A tmux around it keeps the prefix for itself if it has the same one, and
 * passes it on when its own key for that follows: `Ctrl-b Ctrl-b d`.
 */
export function wayBack(prefix: string, outer: OuterTmux | undefined): string {
  if (outer?.prefix === prefix) return inWords(prefix, keyFor('send-prefix', outer), 'd');
  if (outer?.prefix2 === prefix) return inWords(outer.prefix, keyFor('send-prefix -2', outer), 'd');
  return inWords(prefix, 'd');
}

function keyFor(command: string, { bindings }: OuterTmux): string {
  const found = bindings.split('\n').map((line) => /^bind-key\s+(?:-r\s+)?-T prefix\s+(\S+)\s+(send-prefix(?: -2)?)\s*$/.exec(line));
  return found.find((match) => match?.[2] === command)?.[1]?.replace(/^\\/, '') ?? `: ${command} enter`;
}

function inWords(...keys: readonly string[]): string {
  return keys
    .join(' ')
    .replace(/(?<![^ ])(?:[CMS]-)+(?=\S)/g, (modifiers) =>
      modifiers.replaceAll('C-', 'Ctrl-').replaceAll('M-', 'Alt-').replaceAll('S-', 'Shift-'),
    );
}
