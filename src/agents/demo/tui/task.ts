/** What is really asked for: llmc puts it after a preamble, under a heading of its own, and after feedback repeats what was reviewed. */
export function taskOf(prompt: string): string {
  const [, asked = prompt] = /^##[ \t]+(?:Task|Feedback)[ \t]*$([\s\S]*)/m.exec(prompt) ?? [];
  const [own = ''] = asked.split(/^##[ \t]+What was reviewed[ \t]*$/m);
  return own.trim() || prompt.trim();
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
