import { visibleLine } from '../base/visible-text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Terminals with OSC 9: iTerm2, WezTerm and Ghostty name themselves, ConEmu sets its process id. */
const OSC_9 = ['iTerm.app', 'WezTerm', 'ghostty'];

/**
 * What makes this terminal show a notification; undefined if it is not known to have any. Other terminals would print the text. tmux
 * passes such codes on only if `allow-passthrough` is set, so there the message of tmux itself is the way.
 */
export function terminalNotice(environment: Environment, title: string, body: string): string | undefined {
  if (environment.TMUX || environment.STY) return undefined;
  const [shownTitle, shownBody] = [title, body].map((text) => visibleLine(text).slice(0, 200));
  const { TERM_PROGRAM = '', TERM = '' } = environment;
  if (OSC_9.includes(TERM_PROGRAM) || environment.ConEmuPID) return `\u001b]9;${[shownTitle, shownBody].filter(Boolean).join(': ')}\u0007`;
  // OSC 777 separates its parts by semicolons.
  if (/^(?:foot|rxvt-unicode)/.test(TERM)) return `\u001b]777;notify;${shownTitle?.replaceAll(';', ',')};${shownBody}\u0007`;
  return undefined;
}
