/**
 * Rules of the JKit that a release's terminal set-up names, as its monitor uses them. They are about the monitor's port
 * alone. They colour, mark, count and note at once; answers wait for the permission of the person at this browser.
 */
import { encodePinned, type PortNumber, type Rule, type RuleAnswer, readRule, ruleLimits } from '@wirebench/serial';
import type { RunningRule } from '../../../protocol/bench/rule-part.ts';
import { type MonitorMessages, nameIfHidden } from '../../../workbench/release/release.ts';

export interface ReleaseRules {
  readonly rules: readonly Rule[];
  /** One sentence for each kind of entry that was left out. */
  readonly faults: readonly string[];
}

export function readReleaseRules({ rules: entries }: Pick<MonitorMessages, 'rules'>): ReleaseRules {
  const rules: Rule[] = [];
  const faults = new Set<string>();
  for (const [index, entry] of entries.slice(0, ruleLimits.rules).entries()) {
    const read = readRule(entry);
    if (read.ok) {
      rules.push({ ...read.rule, id: `release-${index}` });
    } else {
      faults.add(`A rule was left out: ${read.message}`);
    }
  }
  return { rules: rules.filter(({ isOn }) => isOn), faults: [...faults] };
}

/** Returns what a rule would send, in words; null for a rule that sends nothing. */
export const answerOf = ({ actions }: Rule): string | null => actions.answer?.content ?? null;

/** @param mayAnswer True: the person has allowed the answers. */
export function runningReleaseRules(
  rules: readonly Rule[],
  port: PortNumber,
  picked: MonitorMessages,
  mayAnswer: boolean,
): RunningRule[] {
  return rules.map(({ id, name, condition, actions: { colour, colours, mark, note, answer } }) => ({
    id,
    name,
    condition,
    ports: [port],
    colour,
    colours,
    mark,
    ...(mayAnswer && answer !== null ? answerBytes(answer, picked) : noAnswer),
    isReported: note,
  }));
}

const noAnswer = { answer: null, answerName: null };

/** Returns the bytes of an answer, without them if its message is not in the JKit, or if it cannot be sent. */
function answerBytes(
  { kind, content }: RuleAnswer,
  { messages, lineEnding }: MonitorMessages,
): Pick<RunningRule, 'answer' | 'answerName'> {
  const pinned = messages.find((own) => own.label === content || own.content === content);
  const message = kind === 'pinned' ? pinned : { content, mode: kind };
  const encoded = message === undefined ? null : encodePinned(message.content, message.mode, lineEnding);
  const answerName = kind === 'pinned' && pinned !== undefined ? nameIfHidden(pinned) : null;
  return encoded?.ok ? { answer: encoded.bytes, answerName } : noAnswer;
}
