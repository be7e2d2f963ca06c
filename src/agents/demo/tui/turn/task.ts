import { readFileSync } from 'node:fs';

/** What is really asked for: llmc puts it after a preamble, under a heading of its own. */
export function taskOf(prompt: string): string {
  const told = toldIn(prompt);
  const [, asked = told] = /^##[ \t]+(?:Task|Feedback)[ \t]*$([\s\S]*)/m.exec(told) ?? [];
  return asked.trim() || told.trim();
}

/** The words of a prompt without what was reviewed, which llmc repeats after feedback; of one that only names a file, the words in it. */
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

/** The first sentence or line, short enough for a commit subject. */
export function gistOf(prompt: string, longest = 60): string {
  const line =
    taskOf(prompt)
      .split('\n')
      .map((text) => text.trim())
      .find((text) => text !== '') ?? 'a task';
  const sentence = /^(.{8,}?)[.!?](\s|$)/.exec(line)?.[1] ?? line;
  const characters = Array.from(sentence.replace(/\s+/g, ' '));
  return characters.length <= longest
    ? characters.join('')
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}

/** After an interrupted turn, these prompts take it up again; any other begins something new. */
export function asksToGoOn(prompt: string): boolean {
  return /\b(continue|continuing|carry on|go on|keep going|resume|pick up where)\b/i.test(taskOf(prompt).slice(0, 600));
}

export function fillIn(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => words[name] ?? whole);
}
