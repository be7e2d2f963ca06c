/** What the colours of a language need: how its comments and strings begin, and its words. */
export interface Language {
  /** Up to the end of the line. */
  readonly comments: readonly string[];
  /** Start and end; they may span lines. */
  readonly blocks: readonly (readonly [start: string, end: string, kind: 'comment' | 'string'])[];
  /** Strings in one line. */
  readonly quotes: string;
  readonly words: ReadonlySet<string>;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const NONE: ReadonlySet<string> = new Set();
const C_BLOCK = ['/*', '*/', 'comment'] as const;
const BACKTICK = ['`', '`', 'string'] as const;

const SCRIPT_WORDS = set(
  'abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface is keyof let namespace never new null number object of private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown using var void while with yield',
);
const C_WORDS = set(
  'abstract actual and as assert async auto await base bool boolean break byte case catch chan char class companion const constexpr continue crate data decimal def default defer delegate delete do double dyn echo elseif else enum event explicit export extends extern fallthrough false final finally fixed float fn for foreach friend fun func function global go goto guard if impl implements import in init inline instanceof int interface internal is lateinit let lock long loop map match mod module move mut mutable namespace native new nil noexcept not null nullptr object open operator or out override package params private protected protocol pub public range readonly record ref register return sealed select self short signed sizeof static str string struct super suspend switch synchronized template this throw throws trait transient true try type typealias typedef typename typeof u8 uint union unsafe unsigned unless use using val var virtual void volatile when where while with yield',
);
const HASH_WORDS = set(
  'False None True alias and as assert async await begin break case class continue declare def defined del do done elif else elsif end ensure esac eval except exit export fi finally for from function global if import in is lambda let local loop match module next nil nonlocal not null or pass raise readonly redo rescue resource retry return self set shift super then trap true false try undef unless until variable when while with yield',
);
const SQL_WORDS = set(
  'add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct do drop else end exists foreign from full function group having if in index inner insert into is join key left like limit local not null offset on or order outer primary references repeat replace return returning right rollback select set table then true false trigger union unique update using values view when where while with',
);
const DATA_WORDS = set('true false null yes no on off');

const SCRIPT: Language = { comments: ['//'], blocks: [C_BLOCK, BACKTICK], quotes: `"'`, words: SCRIPT_WORDS };
const C: Language = { comments: ['//'], blocks: [C_BLOCK], quotes: `"'`, words: C_WORDS };
/** A single apostrophe is a lifetime in Rust, and a backtick is a string in Go. */
const RUST: Language = { ...C, quotes: '"' };
const GO: Language = { ...C, blocks: [C_BLOCK, BACKTICK] };
const PHP: Language = { ...C, comments: ['//', '#'] };
const PYTHON: Language = {
  comments: ['#'],
  blocks: [
    ['"""', '"""', 'string'],
    ["'''", "'''", 'string'],
  ],
  quotes: `"'`,
  words: HASH_WORDS,
};
const HASH: Language = { comments: ['#'], blocks: [], quotes: `"'`, words: HASH_WORDS };
const DATA: Language = { ...HASH, words: DATA_WORDS };
const JSON_: Language = { comments: ['//'], blocks: [C_BLOCK], quotes: '"', words: DATA_WORDS };
const STYLES: Language = { comments: ['//'], blocks: [C_BLOCK], quotes: `"'`, words: NONE };
const MARKUP: Language = { comments: [], blocks: [['<!--', '-->', 'comment']], quotes: '"', words: NONE };
const SQL: Language = { comments: ['--'], blocks: [C_BLOCK], quotes: `"'`, words: SQL_WORDS };
const LUA: Language = { comments: ['--'], blocks: [], quotes: `"'`, words: HASH_WORDS };
const LISP: Language = { comments: [';'], blocks: [], quotes: '"', words: NONE };

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  (
    [
      [SCRIPT, 'js jsx mjs cjs ts tsx mts cts vue svelte'],
      [C, 'c h cc cpp cxx hh hpp cs java kt kts swift scala dart groovy gradle proto zig m mm glsl'],
      [RUST, 'rs'],
      [GO, 'go'],
      [PHP, 'php'],
      [PYTHON, 'py pyi'],
      [HASH, 'sh bash zsh fish rb rake pl pm r ex exs nix tf hcl cmake mk makefile dockerfile gemfile rakefile'],
      [DATA, 'toml yaml yml ini conf cfg env properties gitignore gitattributes'],
      [JSON_, 'json jsonc json5'],
      [STYLES, 'css scss less'],
      [MARKUP, 'html htm xml svg xhtml plist'],
      [SQL, 'sql'],
      [LUA, 'lua hs elm ada'],
      [LISP, 'clj cljs el lisp scm rkt'],
    ] as const
  ).flatMap(([language, extensions]) => extensions.split(' ').map((extension) => [extension, language] as const)),
);

/** By the end of the name. A file of no known language has no colours of its own. */
export function findLanguage(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1));
}
