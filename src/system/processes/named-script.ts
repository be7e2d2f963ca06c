import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { readProc } from './lineage.ts';
import { linkAt } from './origin.ts';

/** Programs that run whatever they are told to. */
const GENERAL = /\/(?:ba|da|z|k|fi)?sh$|\/(?:node|nodejs|bun|deno|python|perl|ruby|env|busybox|tmux|screen|script)[\d.]*$/;
/** Options after which an interpreter takes its program from the command line. */
const GIVEN_CODE = /^-[a-z]*[cem]$|^--?(?:eval|print|command)$/;

/** Which of these files a process runs: as its executable, or as the script of its interpreter. */
export function findScript(pid: number, scripts: readonly string[]): string | undefined {
  if (scripts.length === 0) return undefined;
  const [, ...words] = readProc(pid, 'cmdline').split('\0');
  const word = words.find((each) => !each.startsWith('-')) ?? '';
  const isGiven = words.slice(0, words.indexOf(word)).some((each) => GIVEN_CODE.test(each));
  const script = word === '' || isGiven ? undefined : real(isAbsolute(word) ? word : join(linkAt(`/proc/${pid}/cwd`), word));
  const program = linkAt(`/proc/${pid}/exe`);
  return scripts.find((each) => {
    const wanted = real(each);
    return wanted !== undefined && (wanted === script || wanted === program);
  });
}

/** Why a file proves nothing about who runs it: it runs anything, or another user can write it. */
export function findScriptProblem(path: string, writableByAgents: readonly string[]): string | undefined {
  const file = real(path);
  if (file === undefined) return 'it does not exist';
  if (GENERAL.test(file)) return 'it runs any script; name the script itself';
  const within = writableByAgents.find((folder) => `${file}${sep}`.startsWith(`${real(folder) ?? resolve(folder)}${sep}`));
  if (within !== undefined) return `it is in ${within}, where agents write`;
  for (const each of [file, dirname(file)]) {
    const { uid, mode } = statSync(each);
    if (uid !== 0 && uid !== process.getuid?.()) return `${each} belongs to another user`;
    // In a folder like /tmp, only the owner of a file can replace it.
    const isSticky = each !== file && (mode & 0o1000) !== 0;
    if ((mode & 0o022) !== 0 && !isSticky) return `other users can write ${each}`;
  }
  return undefined;
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
