import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Driver } from './driver.ts';
import { perform } from './perform.ts';
import type { Situation, Size } from './situation.ts';

/** One situation at one size: the lines of its screen, or why the CLI could not be led there. */
export type Recording = { readonly situation: Situation; readonly size: Size } & (
  | { readonly lines: readonly string[] }
  | { readonly problem: string }
);

/** One CLI at a time: it is the machine's speed that decides how faithful a moving picture is. */
export async function record(
  driver: Driver,
  names: readonly string[],
  sizes: readonly Size[],
  done: (recording: Recording) => void,
): Promise<readonly Recording[]> {
  const recordings: Recording[] = [];
  for (const situation of driver.situations.filter(({ name }) => names.includes(name))) {
    for (const size of sizes) {
      const recording = { situation, size, ...(await capture(driver, situation, size)) };
      done(recording);
      recordings.push(recording);
    }
  }
  return recordings;
}

async function capture(driver: Driver, situation: Situation, size: Size): Promise<{ lines: readonly string[] } | { problem: string }> {
  try {
    await using session = await driver.open(situation.name, size);
    return { lines: await perform(session, situation) };
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}

/** `waiting-80x24.txt`; text in the box is told by the name. */
export function fileName({ situation, size }: Pick<Recording, 'situation' | 'size'>): string {
  const box = situation.box === undefined ? '' : `.${situation.box}`;
  return `${situation.name}-${size.width}x${size.height}${box}.txt`;
}

/** Writes `<folder>/<expectation>/<situation>-<size>.txt`. */
export async function write(folder: string, recordings: readonly Recording[]): Promise<void> {
  for (const recording of recordings) {
    if (!('lines' in recording)) continue;
    const path = join(folder, recording.situation.expected, fileName(recording));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${recording.lines.join('\n').trimEnd()}\n`);
  }
}
