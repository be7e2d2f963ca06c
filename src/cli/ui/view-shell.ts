import { callOwner } from '../owner/owner.ts';
import { Shell, type ShellOptions } from '../shell.ts';

/** The shell of a command that the view runs: it prints nothing and asks nothing; its progress goes to the view. */
export class ViewShell extends Shell {
  override readonly say: (line: string) => void;

  constructor(options: ShellOptions, say: (line: string) => void = () => undefined) {
    super({ ...options, json: false, yes: false }, callOwner);
    this.say = say;
  }

  override get isInteractive(): boolean {
    return false;
  }
}
