/** Who may import whom. Generates the overrides in biome.json (`npm run arrows`); test/repo/arrows.test.ts proves each arrow. */

export interface Folder {
  /** The folders it may import. */
  readonly imports: readonly string[];
  /** Single files of other folders that it may import too. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
  /** Effects of Node that it may import; every folder may import what has none. */
  readonly node?: readonly string[] | 'all';
}

const BELOW_WORKERS = ['base', 'system', 'config', 'store', 'terminal', 'git', 'agents', 'recovery', 'sandbox', 'proof'];

export const FOLDERS: Readonly<Record<string, Folder>> = {
  base: { imports: [] },
  proof: { imports: ['base'] },
  system: { imports: ['base'], node: 'all' },
  config: { imports: ['base', 'system'] },
  store: {
    imports: ['base', 'system', 'config', 'proof'],
    files: { agents: ['activity', 'events'] },
    node: ['os', 'sqlite'],
  },
  terminal: { imports: ['base', 'system'] },
  git: { imports: ['base', 'system', 'proof'] },
  agents: { imports: ['base'], files: { terminal: ['screen'] } },
  sandbox: {
    imports: ['base', 'system', 'config', 'store'],
    files: { git: ['walls', 'private/place'], agents: ['agent', 'config-folder'] },
  },
  recovery: { imports: ['base'], files: { agents: ['activity', 'agent', 'classify-exit', 'events', 'exit-output'] } },
  workers: { imports: BELOW_WORKERS },
  workflow: { imports: [...BELOW_WORKERS, 'workers'] },
  supervisor: { imports: [...BELOW_WORKERS, 'workers', 'workflow'], node: ['net'] },
  doctor: {
    imports: BELOW_WORKERS.filter((folder) => !['recovery', 'proof'].includes(folder)),
    files: { recovery: ['decide-stall', 'records/decide-consistency', 'records/repair-step'] },
  },
  tui: { imports: ['base', 'agents', 'store', 'proof', 'workers', 'workflow', 'supervisor'] },
  cli: { imports: [...BELOW_WORKERS, 'workers', 'workflow', 'supervisor', 'doctor', 'tui'], node: ['fs', 'os'] },
};

/** Inside src/supervisor, in the order a pass flows. The files at its top may import every one of them. */
export const PHASES: Readonly<Record<string, readonly string[]>> = {
  'agent-files': [],
  observe: ['agent-files'],
  assess: ['observe'],
  launch: ['agent-files', 'observe'],
  limits: ['observe', 'launch'],

  protocol: ['observe', 'launch'],
  metering: ['agent-files', 'observe', 'launch'],
  deliver: ['agent-files', 'observe', 'launch', 'limits'],
  dialogs: ['observe', 'report', 'assess'],
  report: ['observe', 'metering'],
  follow: ['observe', 'metering', 'report'],
  progress: ['observe', 'report'],
  failures: ['observe', 'launch', 'progress'],
  ownership: ['observe'],
  api: ['observe', 'dialogs', 'metering', 'report', 'follow', 'ownership'],
};

interface Pattern {
  readonly group: readonly string[];
  readonly message: string;
}

const WITHOUT_EFFECTS = '!node:{crypto,events,path,url,util}';

export function overrides(): readonly object[] {
  const folders = Object.entries(FOLDERS).map(([name, folder]) => override(`src/${name}/**`, folderPatterns(name, folder)));
  const phases = Object.entries(PHASES).map(([name, imports]) => {
    const others = Object.keys(PHASES).filter((other) => other !== name && !imports.includes(other));
    const inside = { group: ['../*.ts', ...others.map((other) => `../${other}/**`)], message: phaseMessage(name, imports) };
    return override(`src/supervisor/${name}/**`, [inside, ...folderPatterns('supervisor', FOLDERS.supervisor)]);
  });
  return [...folders, ...phases, demoProgram(), { includes: ['bin/llmc.cjs'], linter: { enabled: false } }];
}

function folderPatterns(name: string, folder: Folder | undefined): readonly Pattern[] {
  const { imports = [], files = {}, node = [] } = folder ?? {};
  const refused = Object.keys(FOLDERS).filter((other) => other !== name && !imports.includes(other));
  const single = Object.entries(files).map(([other, names]) => `!../**/${other}/{${names.join(',')}}.ts`);
  const group = refused.length === 0 ? [] : [`../**/{${refused.join(',')}}/**`, ...single];
  const allowed = [...imports, ...Object.entries(files).map(([other, names]) => `${other}/{${names.join(',')}}.ts`)];
  const effects = [':NODE:', WITHOUT_EFFECTS, ...(typeof node === 'string' || node.length === 0 ? [] : [`!node:{${node.join(',')}}`])];
  return [
    ...(group.length === 0 ? [] : [{ group, message: `src/${name} may import ${list(allowed)}.` }]),
    ...(node === 'all' ? [] : [{ group: effects, message: 'Effects live in src/system and come in as ports.' }]),
  ];
}

function phaseMessage(name: string, imports: readonly string[]): string {
  return `src/supervisor/${name} may import, of the supervisor, ${list(imports)}.`;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'no other folder' : names.join(', ');
}

/** The demo agent is a program of its own. */
function demoProgram(): object {
  const group = [
    `../**/{${Object.keys(FOLDERS)
      .filter((folder) => !['base', 'agents'].includes(folder))
      .join(',')}}/**`,
  ];
  return override('src/agents/demo/tui/**', [{ group, message: 'The demo agent is a program of its own: Node, base and agents/demo.' }]);
}

function override(folder: string, patterns: readonly Pattern[]): object {
  return {
    includes: [folder, '!**/*.test.ts', '!**/samples.ts'],
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
  };
}
