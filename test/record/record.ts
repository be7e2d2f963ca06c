import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Screen, screenFromText } from '../../src/terminal/screen.ts';
import type { Driver } from './driver.ts';
import { perform } from './perform.ts';
import type { Situation, Size } from './situation.ts';

/** One situation at one size: the lines of its screen, or why the CLI could not be led there. */
export type Recording = { readonly situation: Situation; readonly size: Size; readonly titled: boolean } & (
  | { readonly screen: Screen }
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
      const recording = { situation, size, titled: driver.titled, ...(await capture(driver, situation, size)) };
      done(recording);
      recordings.push(recording);
    }
  }
  return recordings;
}

async function capture(driver: Driver, situation: Situation, size: Size): Promise<{ screen: Screen } | { problem: string }> {
  try {
    await using session = await driver.open(situation.name, size);
    return { screen: await perform(session, situation) };
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}

/** `waiting-80x24.txt`. The name also shows whether the input box has text, and whether the first line is the terminal's title. */
export function fileName({ situation, size, titled }: Pick<Recording, 'situation' | 'size' | 'titled'>): string {
  const box = situation.box === undefined ? '' : `.${situation.box}`;
  return `${situation.name}-${size.width}x${size.height}${titled ? '.titled' : ''}${box}.txt`;
}

/** A recorded screen as a file has it, and the way back. */
export function textOf({ lines, title }: Screen): string {
  return `${title === undefined ? '' : `${title}\n`}${lines.join('\n').trimEnd()}\n`;
}

export function screenOf(text: string, titled: boolean): Screen {
  const end = titled ? text.indexOf('\n') : -1;
  return { ...screenFromText(text.slice(end + 1)), ...(end !== -1 && { title: text.slice(0, end) }) };
}

/** Writes `<folder>/<expectation>/<situation>-<size>.txt`. */
export async function write(folder: string, recordings: readonly Recording[]): Promise<void> {
  for (const recording of recordings) {
    if (!('screen' in recording)) continue;
    const path = join(folder, recording.situation.expected, fileName(recording));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, textOf(recording.screen));
  }
}
