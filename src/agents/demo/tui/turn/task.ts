import { readFileSync } from 'node:fs';

/** The task in a prompt: llmc puts it after a preamble, below its own heading. */
export function taskOf(prompt: string): string {
  const told = toldIn(prompt);
  const [, asked = told] = /^##[ \t]+(?:Task|Feedback)[ \t]*$([\s\S]*)/m.exec(told) ?? [];
  return asked.trim() || told.trim();
}

/** The text of a prompt without the reviewed diff, which llmc repeats after feedback. For a prompt that only names a file, the text of that file. */
export function toldIn(prompt: string): string {
  const [words = ''] = wordsOf(prompt).split(/^##[ \t]+What was reviewed[ \t]*$/m);
  return words;
}

function wordsOf(prompt: string): string {
  const file = /^Your instructions are in the file (.+?) because they cannot be typed exactly\./.exec(prompt)?.[1];
  if (file === undefined) return prompt;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return prompt;
  }
}

/** The first sentence or line, short enough for a commit subject. A line such as "Build this:" only announces the next one. */
export function gistOf(prompt: string, longest = 60): string {
  const lines = taskOf(prompt)
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const line = lines.find((text) => !text.endsWith(':')) ?? lines[0] ?? 'a task';
  const sentence = /^(.{8,}?)[.!?](\s|$)/.exec(line)?.[1] ?? line;
  const characters = Array.from(sentence.replace(/\s+/g, ' '));
  return characters.length <= longest
    ? characters.join('')
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}

/** Prompts that resume an interrupted turn; any other prompt starts a new one. */
export function asksToGoOn(prompt: string): boolean {
  return /\b(continue|continuing|carry on|go on|keep going|resume|pick up where)\b/i.test(taskOf(prompt).slice(0, 600));
}

/** Prompts of a run that a person pauses. */
export function asksToSave(prompt: string): boolean {
  return /^Stop: a person pauses this run\. Save to /m.test(toldIn(prompt));
}

export function fillIn(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => words[name] ?? whole);
}
