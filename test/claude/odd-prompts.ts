/** A small seeded generator (mulberry32): a seed that fails can be run again. */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LARGEST_BYTES = 256 * 1024;

/** Prompts that a careless sender would run as commands, change or lose. `canary` is a file that only a shell could make. */
function oddOnes(canary: string): readonly string[] {
  return [
    'x',
    // The same text again is another prompt, not the acknowledgement of the first.
    'x',
    'exit',
    'quit',
    ' exit ',
    'Exit',
    ':q',
    '/clear',
    '/exit',
    '/nonsense word',
    ' /compact',
    '/tmp/foo is a path',
    `!touch ${canary}`,
    ` !touch ${canary}`,
    `!touch ${canary}\nand a second line`,
    `!touch ${canary}\n${'line\n'.repeat(30)}`,
    '# a note',
    '@nobody knows',
    '& in the background',
    '? what',
    '1',
    'y',
    '~',
    '-n',
    'ends with \\',
    'two \\\\',
    `multi\nends with \\`,
    'a\ttab',
    'trailing blanks   ',
    'trailing lines\n\n\n',
    'first\r\nsecond\r\nthird',
    '   indented',
    '\nbegins with a line break',

    `"double" 'single' $(touch ${canary}) \`touch ${canary}\``,
    `$(touch ${canary})`,
    `\`touch ${canary}\``,
    '$HOME %s {} [] <> | ; && ||',

    '日本語のテキストと한국어、中文',
    '👩‍👩‍👧 🇩🇪 👍🏽 ❤️',
    'e\u0301 decomposed',
    'zero\u200bwidth',
    'a\u202eb',
    '\u001b[31mred\u001b[0m',
    'می\u200cخواهم',

    'plain\n/clear\n!date\nexit',
    '[Pasted text #1 +3 lines]',
    '```sh\nrm -rf nothing\n```',
    '1. Yes\n2. No\n❯ 1. Yes',
    'esc to interrupt',
  ];
}

const PIECES = [
  'word',
  'quite a few words ',
  '"',
  "'",
  '$(id)',
  '`id`',
  '日本',
  '한국',
  '🙂',
  '👩‍💻',
  'é',
  '\\',
  '/',
  '!',
  '#',
  '@',
  '&',
  '  ',
  '{}',
  '<b>',
  '%',
];
const LEADS = ['/', '!', '#', '@', '&', 'exit ', '/word ', ''];

function mixed(random: () => number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  // The logarithm of the size is uniform, so small prompts are as frequent as large ones.
  const bytes = Math.floor(2 ** (random() * Math.log2(LARGEST_BYTES)));
  const lines = random() < 0.5;
  const parts = [pick(LEADS)];
  for (let size = 0; size < bytes; ) {
    const part = lines && random() < 0.05 ? '\n' : pick(PIECES);
    parts.push(part);
    size += Buffer.byteLength(part);
  }
  if (random() < 0.1) parts.push('\\');
  const text = [...parts.join('')];
  while (Buffer.byteLength(text.join('')) > LARGEST_BYTES) text.splice(-Math.ceil(text.length / 100));
  return text.join('').trim() === '' ? 'y' : text.join('');
}

/** `count` prompts: the largest one, the odd ones in a seeded order, and mixtures of 1 byte to 256 KB. */
export function oddPrompts(seed: number, count: number, canary: string): readonly string[] {
  const random = randomOf(seed);
  const odd = oddOnes(canary)
    .map((text) => ({ text, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ text }) => text);
  const largest = `${'0123456789abcdef'.repeat(LARGEST_BYTES / 16 - 1)}0123456789abcde.`;
  const mixtures = Array.from({ length: count }, () => mixed(random));
  // A fifth of a short list is mixtures; a long list has every odd prompt and then mixtures only.
  const oddCount = Math.min(odd.length, Math.ceil(count * 0.8) - 1);
  return [...odd.slice(0, oddCount), largest, ...mixtures].slice(0, count);
}
