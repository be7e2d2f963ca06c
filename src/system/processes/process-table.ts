import { readdirSync, readFileSync } from 'node:fs';
import type { Processes, ProcessRow } from '../../base/ports.ts';

/** Lists all processes, from /proc or else from one `ps`. Empty if neither answers. */
export async function processTable(processes: Processes): Promise<readonly ProcessRow[]> {
  if (process.platform === 'linux') return fromProc();
  const { stdout } = await processes.run({ file: 'ps', args: ['-axo', 'pid=,ppid=,rss=,stat=,time=,lstart='] }, { timeoutMs: 5_000 });
  return stdout.split('\n').flatMap(parsePsLine);
}

function fromProc(): readonly ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return parseProcStat(readFileSync(`/proc/${name}/stat`, 'utf8'));
    } catch {
      // The process has just ended.
      return [];
    }
  });
}

/** Linux reports time in hundredths of a second, and memory in pages of 4 KB on the machines that Node supports. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

/** See proc(5). The name in brackets may contain any character; the numbers follow the last bracket. */
export function parseProcStat(line: string): readonly ProcessRow[] {
  const end = line.lastIndexOf(')');
  const pid = Number.parseInt(line, 10);
  const fields = line.slice(end + 2).split(' ');
  const [state = '', parent, group, terminal, inFront, user, system, started, pages] = [0, 1, 2, 4, 5, 11, 12, 19, 21].map(
    (at) => fields[at],
  );
  if (end < 0 || !Number.isInteger(pid) || pages === undefined) return [];
  const cpuMs = (Number(user) + Number(system)) * TICK_MS;
  const foreground = terminal !== '0' && group === inFront;
  return [
    {
      pid,
      parent: Number(parent),
      started: started ?? '',
      state: parseState(state),
      foreground,
      cpuMs,
      memoryBytes: Number(pages) * PAGE_BYTES,
    },
  ];
}

/** Linux and macOS: `T` is stopped. `D` (Linux) and `U` (macOS) wait without listening to signals. */
function parseState(letters: string): ProcessRow['state'] {
  if (/^[Tt]/.test(letters)) return 'stopped';
  return /^[DU]/.test(letters) ? 'blocked' : 'runs';
}

/** `  501     1  12345 Ss+   1:02.50 Sun Nov 15 06:00:00 2026`, as on macOS; with hours `1:02:03`, with days `2-03:04:05`. */
export function parsePsLine(line: string): readonly ProcessRow[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+([A-Za-z]\S*)\s+(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\s+(.*\S)\s*$/.exec(line);
  if (match === null) return [];
  const [, pid, parent, kilobytes, letters = '', days, hours, minutes, seconds, started = ''] = match;
  const cpuMs = Math.round((((Number(days ?? 0) * 24 + Number(hours ?? 0)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000);
  const [state, foreground, memoryBytes] = [parseState(letters), letters.includes('+'), Number(kilobytes) * 1_024];
  return [{ pid: Number(pid), parent: Number(parent), started, state, foreground, cpuMs, memoryBytes }];
}
