import type { OpenDialog } from '../../screen-rules/dialog.ts';

interface Startup {
  readonly question: RegExp;
  readonly settledBy?: RegExp;
  readonly login?: true;
}

/** Start-up dialogs of 2.1.325. Their default is the refusing row, so a blind Enter ends Claude Code. */
const STARTUP_DIALOGS: readonly Startup[] = [
  // llmc created this worktree from the user's own repository.
  { question: /Is this a project you created or one you trust\?/, settledBy: /^Yes, I trust this folder$/ },
  // Claude Code shows it only if the user set skip_permissions.
  { question: /Claude Code running in Bypass Permissions mode/, settledBy: /^Yes, I accept$/ },
  // A person must decide which account pays and which code may run.
  { question: /Do you want to use this API key\?/ },
  { question: /(?:New|\d+ new) MCP servers? found in this project.*/ },
  { question: /Allow external CLAUDE\.md file imports\?/ },
  { question: /^Settings Error$/ },
  { question: /Choose the text style that looks best with your terminal/ },
  { question: /^Security notes:/ },
  { question: /^Select login method.*/, login: true },
];

export function readStartup(text: readonly string[]): Pick<OpenDialog, 'question' | 'settledBy' | 'login'> | undefined {
  for (const { question, settledBy, login } of STARTUP_DIALOGS) {
    const asked = text.flatMap((line) => question.exec(line)?.[0] ?? [])[0];
    if (asked !== undefined) return { question: asked, settledBy, login };
  }
  return undefined;
}
