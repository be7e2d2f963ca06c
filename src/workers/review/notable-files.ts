/** Why a changed file deserves a look: git obeys it, a machine runs it unasked, or an agent reads it as an instruction. */
export type NotableFile = 'git' | 'runs' | 'agent';

const NOTABLE: readonly (readonly [RegExp, NotableFile])[] = [
  [/(?:^|\/)\.(?:gitattributes|gitmodules|lfsconfig)$/i, 'git'],
  [/^(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci\.yml$|\.circleci\/|Jenkinsfile$)/i, 'runs'],
  [/(?:^|\/)(?:\.husky|\.githooks)\/|(?:^|\/)(?:\.pre-commit-config\.yaml|\.?lefthook\.ya?ml|\.envrc)$/i, 'runs'],
  [/(?:^|\/)\.vscode\/(?:tasks|launch|settings)\.json$|(?:^|\/)\.devcontainer(?:\/|\.json$)/i, 'runs'],
  [/(?:^|\/)(?:CLAUDE|AGENTS)(?:\.local)?\.md$|(?:^|\/)\.(?:claude|codex)\/|(?:^|\/)\.mcp\.json$/i, 'agent'],
];

/** npm runs these scripts when a package is installed. */
const INSTALL_SCRIPT = /^\s*"(?:(?:pre|post)?install|(?:pre|post)?prepare|prepublish)"\s*:/;

export function notableFile(path: string, added: () => readonly string[]): NotableFile | undefined {
  const [, about] = NOTABLE.find(([pattern]) => pattern.test(path)) ?? [];
  if (about !== undefined) return about;
  return /(?:^|\/)package\.json$/.test(path) && added().some((line) => INSTALL_SCRIPT.test(line)) ? 'runs' : undefined;
}
