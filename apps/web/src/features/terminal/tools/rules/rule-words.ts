/** A rule's condition and actions in words. */
import type { Rule } from '@wirebench/serial';
import { counted } from '../../../../shared/format/numbers.ts';

export function conditionText({ condition }: Pick<Rule, 'condition'>): string {
  switch (condition.kind) {
    case 'line':
      return condition.find;
    case 'silence':
      return `no ${condition.find === '' ? 'line' : condition.find} for ${counted(condition.seconds, 'second')}`;
    case 'value':
      return `${condition.series} ${condition.side} ${condition.limit}`;
  }
}

/** @param isLog True: only what the rule does to an opened log. */
export function actionsText({ actions, must }: Pick<Rule, 'actions' | 'must'>, isLog = false): string {
  const { colour, colours, mark } = actions;
  const words = [
    ...(colour === null ? [] : [`${colour} ${colours}`]),
    ...(mark ? ['mark'] : []),
    ...(isLog ? [] : actsInWords(actions)),
    ...(isLog || must === null ? [] : [must === 'fire' ? 'must fire in a run' : 'must not fire in a run']),
  ];
  return words.length === 0 ? 'count' : words.join(', ');
}

function actsInWords({ note, sound, notify, answer, run, record }: Rule['actions']): readonly string[] {
  return [
    ...(note ? ['note'] : []),
    ...(sound ? ['sound'] : []),
    ...(notify ? ['notification'] : []),
    ...(answer === null ? [] : [`answer ${answer.content}`]),
    ...(run ? ['run the panel'] : []),
    ...(record === null ? [] : [`${record} recording`]),
  ];
}
