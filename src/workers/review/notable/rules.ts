/** Who acts on a changed file: llmc, a line of your configuration, git, a program that runs commands, or an agent. */
export type NotableAbout = 'llmc' | 'lines' | 'git' | 'runs' | 'agent';

interface Rule {
  readonly about: NotableAbout;
  /** Who acts on the file, and when: the end of "<file>: …". */
  readonly why: string;
  /**
   * Names separated by blanks, in any folder. A slash at the beginning: only at the top of the repository. A slash at the end: everything
   * below the folder. `*` is any text without a slash, `{a,b}` one of several.
   */
  readonly files: string;
}

/**
 * Files that act by themselves, found by their names. The most dangerous come first: what runs on your machine with your rights, then what
 * steers agents, then what runs elsewhere or after a question. `lines` and those without files are found by content: `find-notable.ts`.
 */
export const NOTABLE_RULES = {
  workflow: {
    about: 'llmc',
    why: '`llmc run` starts its commands on this machine, and `by: run` lands work without you',
    files: '/workflows/*.yaml /workflows/*.yml',
  },
  line: { about: 'lines', why: 'your own configuration runs this file', files: '' },
  hook: {
    about: 'git',
    why: 'git runs hooks like this at a commit, checkout or merge',
    files: `.husky/ .githooks/ .git-hooks/ githooks/ git-hooks/ .hooks/ .config/git/hooks/ applypatch-msg commit-msg fsmonitor-watchman
      post-{applypatch,checkout,commit,index-change,merge,receive,rewrite,update} pre-{applypatch,auto-gc,commit,merge-commit,push,rebase,receive}
      prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate
      {applypatch,commit,prepare-commit}-msg.sample {pre,post}-*.sample`,
  },
  repository: { about: 'git', why: 'part of a git repository inside the files: git obeys its `config` in that folder', files: '' },
  'hook manager': {
    about: 'git',
    why: 'a hook manager runs its commands at a commit',
    files: `.pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml {.,}lefthook{,-local}.{yml,yaml,toml,json} .lintstagedrc{,.*}
      lint-staged.config.* .huskyrc{,.*} .overcommit.yml {.,}simple-git-hooks.* captainhook.json`,
  },
  'git settings': {
    about: 'git',
    why: 'git obeys this file: it names filters, drivers, addresses or commands',
    files: '.gitattributes .gitmodules .lfsconfig .gitconfig',
  },
  shell: {
    about: 'runs',
    why: 'direnv, mise or a debugger runs it when you enter the folder',
    files: '.envrc {.,}mise{,.*}.toml .mise/ .rtx.toml .gdbinit .lldbinit .autoenv',
  },
  package: { about: 'runs', why: 'an installation or a script of npm runs it', files: '' },
  install: {
    about: 'runs',
    why: 'an installation of packages obeys it, and may run its code',
    files: `.npmrc .yarnrc .yarnrc.yml .yarnrc.yaml .yarn/{plugins,releases,patches,sdks}/ {.,}pnpmfile.{js,cjs,mjs} pnpm-workspace.yaml bunfig.toml
      binding.gyp setup.py setup.cfg pip.conf uv.toml .pypirc .condarc .bundle/ extconf.rb *.gemspec nuget.config`,
  },
  build: {
    about: 'runs',
    why: 'the compiler or the build tool runs or obeys it',
    files: `.cargo/ build.rs rust-toolchain rust-toolchain.toml .bazelrc .mvn/ mvnw mvnw.cmd gradlew gradlew.bat gradle-wrapper.{jar,properties}
      gradle.properties init.gradle init.gradle.kts buildSrc/ Directory.Build.{props,targets} .babelrc{,.*}`,
  },
  python: {
    about: 'runs',
    why: 'python or pytest runs it by itself',
    files: 'conftest.py sitecustomize.py usercustomize.py *.pth noxfile.py .pdbrc',
  },
  agent: {
    about: 'agent',
    why: 'agents read it as instructions, or run what it names',
    files: `{CLAUDE,AGENTS,AGENT,GEMINI,QWEN,CRUSH,WARP,COPILOT,SKILL}{,.local,.override}.md {.,}mcp.json .{cursor,windsurf,cline,roo,continue}rules{,-*}
      .roomodes .goosehints .rules .aider* {.,}opencode.{json,jsonc} {.,}crush.json .augment-guidelines
      .github/copilot-* .github/{instructions,prompts,agents,chatmodes,skills,hooks}/
      .{claude,claude-plugin,codex,gemini,qwen,cursor,windsurf,clinerules,roo,kilocode,continue,opencode,amp,augment,junie,kiro,trae,goose}/
      .{openhands,factory,agent,agents,crush,copilot,mcp,llmc,rules}/`,
  },
  editor: {
    about: 'runs',
    why: 'an editor obeys it when it opens the folder or the file, and may run its commands',
    files: `.vscode/{tasks,settings,launch,extensions,mcp,c_cpp_properties}.json *.code-workspace .devcontainer/ .devcontainer.json .gitpod.yml
      .gitpod.Dockerfile .idea/ .zed/ .fleet/ .helix/ .vim/ .nvim/ .exrc .vimrc .nvimrc .lvimrc .nvim.lua .dir-locals.el .dir-locals-2.el
      *.sublime-project`,
  },
  ci: {
    about: 'runs',
    why: 'a CI service runs it at a push or a pull request, often with secrets',
    files: `/.{github,gitea,forgejo}/{workflows,actions}/ action.yml action.yaml .gitlab-ci.yml .gitlab-ci.yaml .gitlab-ci/ .gitlab/ci/ .circleci/
      .travis.yml .travis.yaml azure-pipelines*.yml azure-pipelines*.yaml .azure-pipelines/ .azuredevops/ Jenkinsfile* *.jenkinsfile .buildkite/
      .drone.{yml,yaml,jsonnet,star} .woodpecker.yml .woodpecker.yaml .woodpecker/ bitbucket-pipelines.yml {.,}appveyor.{yml,yaml}
      .cirrus.{yml,yaml,star} .build.yml .builds/ .semaphore/ .teamcity/ .tekton/ .harness/ wercker.yml bitrise.yml codemagic.yaml
      cloudbuild.{yml,yaml,json} buildspec.{yml,yaml} .readthedocs.{yml,yaml} netlify.toml vercel.json {.,}renovate.{json,json5} .renovaterc{,.*}
      .goreleaser.{yml,yaml} .github/dependabot.{yml,yaml}`,
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type NotableRuleName = keyof typeof NOTABLE_RULES;
export const RULE_NAMES = Object.keys(NOTABLE_RULES).filter((name): name is NotableRuleName => name in NOTABLE_RULES);

/** Case does not count, as on many disks. With `u`, the long s and the Kelvin sign are an s and a k, as on those disks. */
function toPattern(files: string): RegExp {
  const one = (glob: string) => {
    const body = glob
      .replace(/^\/|\/$/g, '')
      .replace(/[.+]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replace(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.split(',').join('|')})`);
    return `${glob.startsWith('/') ? '^' : '(?:^|/)'}${body}${glob.endsWith('/') ? '/' : '$'}`;
  };
  return new RegExp(files.split(/\s+/).filter(Boolean).map(one).join('|') || '(?!)', 'iu');
}

let patterns: readonly (readonly [NotableRuleName, RegExp])[] | undefined;

/** The first rule about a file with this path. */
export function findNotableRule(path: string): NotableRuleName | undefined {
  patterns ??= RULE_NAMES.map((name) => [name, toPattern(NOTABLE_RULES[name].files)]);
  return patterns.find(([, pattern]) => pattern.test(path))?.[0];
}
