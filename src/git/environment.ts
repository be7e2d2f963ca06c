export interface GitSurroundings {
  readonly at: string;
  readonly access: 'read' | 'write';
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Lets git look for the repository in the directories above `at` too. */
  readonly discover?: true;
}

/**
 * Variables that a hook, an alias or `git rebase --exec` may have set. Each of them would point git at another
 * repository, index or editor.
 */
const INHERITED = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_PREFIX',
  'GIT_NAMESPACE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_SHALLOW_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_AUTHOR_DATE',
  'GIT_COMMITTER_DATE',
  'GIT_REFLOG_ACTION',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
  'GIT_TRACE',
] as const;

const CLEAN_ENV: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(INHERITED.map((name) => [name, undefined])),
  // A replacement or a graft shows another commit than the one that lands: git never transfers them.
  GIT_NO_REPLACE_OBJECTS: '1',
  // A path that cannot exist: git 2.39 prints advice about grafts for every file that it can open, also for /dev/null.
  GIT_GRAFT_FILE: '/dev/null/no-grafts',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  // llmc matches git's messages against patterns, so they must be in English.
  LC_ALL: 'C',
  // A merge reads the commits of a submodule in the submodule's own repository. If that says that it is a partial clone, git would
  // fetch a missing one with the command that is configured there (`remote.<name>.uploadpack`; git 2.39.4 and later know this variable).
  GIT_NO_LAZY_FETCH: '1',
};

/** `place` names the repository (`placeEnvironment`). Without it, git finds the repository of `at` by itself. */
export function gitEnvironment(
  call: GitSurroundings,
  place: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | undefined>> {
  return {
    ...CLEAN_ENV,
    // A worktree is inside the root: without its `.git` file, git would find the root's repository and work on that.
    // git resolves `/..` itself, so this also works when `at` is a symbolic link.
    ...(call.discover ? {} : { GIT_CEILING_DIRECTORIES: `${call.at}/..` }),
    ...(call.access === 'read' && { GIT_OPTIONAL_LOCKS: '0' }),
    ...place,
    ...call.env,
  };
}
