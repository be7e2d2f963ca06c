/** Ten lines, long enough for git to follow a rename. */
export const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('');

/** Replaces one of the ten lines. */
export const changed = (line: number, to: string, text = TEN): string => text.replace(`line ${line}\n`, to);

export const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
