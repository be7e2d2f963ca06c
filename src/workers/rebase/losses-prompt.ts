import type { HardStop, Proof } from '../../proof/proof.ts';
import type { Resolving } from '../prompt/conflict-words.ts';
import { quoted } from '../prompt/quoted-text.ts';
import { linesDroppedPrompt } from '../prompt/resolution-prompts.ts';

/** Sends what the proof found back to the agent: the lost lines, and what no trailer can explain. */
export function lossesPrompt(resolving: Resolving, { dropped, resurrected, stops }: Proof): string {
  const [lost, back] = [dropped, resurrected].map((lines) => lines.filter(({ explained }) => !explained));
  const others = stops.map((stop) => `- ${stopText(stop)}`);
  return [
    ...(lost?.length === 0 && back?.length === 0 && others.length > 0 ? [] : [linesDroppedPrompt(resolving, lost ?? [], back)]),
    ...(others.length === 0 ? [] : [['The result of your rebase cannot land as it is. Repair this and commit:', '', ...others].join('\n')]),
  ].join('\n\n');
}

function stopText(stop: HardStop): string {
  switch (stop.kind) {
    case 'markers':
      return `${quoted(stop.path)}, line ${stop.line}: a conflict marker is left`;
    case 'emptied':
      return `${quoted(stop.path)} is empty`;
    case 'empty_change':
      return 'nothing of your own change is left';
    case 'lost_file':
      return `${quoted(stop.path)} is missing`;
    case 'mode':
      return `${quoted(stop.path)} has the mode ${stop.actual ?? 'none'} instead of ${stop.expected.map((mode) => mode ?? 'none').join(' or ')}`;
    case 'content':
      return `${quoted(stop.path)} is neither main’s version nor yours`;
  }
}
