/** Translates the rules of panels to those that the worker watches. Pure. */
import { acts, type Rule, type RuleAnswer } from '@wirebench/serial';
import type { RunningRule } from '../../../../protocol/rule-protocol.ts';
import { type DevicePanel, endingOf, noTarget } from '../../panels/model/device-panel.ts';
import type { Panels } from '../../panels/model/panels.ts';
import { encodeMessage, messageName } from '../../panels/model/pinned-message.ts';

/** Returns the rules that are on, in the order of panels and rules. */
export function runningRules(panels: Panels): RunningRule[] {
  return panels.flatMap((panel) => panel.rules.filter(({ isOn }) => isOn).map((rule) => runningRule(panel, rule)));
}

function runningRule(panel: DevicePanel, rule: Rule): RunningRule {
  const { id, name, where, condition, actions, mayAct } = rule;
  const { colour, colours, mark, answer, note, sound, notify, run, record } = actions;
  const hasPort = panel.pinnedTargetPort !== noTarget;
  const ports = where === 'all' || panel.pinnedTargetPort === noTarget ? null : [panel.pinnedTargetPort];
  // Without a target, an answer for the panel's board might reach another board.
  const sends = mayAct && answer !== null && (where === 'all' || hasPort);
  return {
    id,
    name,
    condition,
    ports,
    colour,
    colours,
    mark,
    answer: sends ? answerBytes(panel, answer) : null,
    isReported: note || sound || notify || (mayAct && (run || record !== null)),
  };
}

/** Returns the bytes of an answer; null if its pinned message is gone. */
function answerBytes(panel: DevicePanel, { kind, content }: RuleAnswer): Uint8Array | null {
  const message =
    kind === 'pinned'
      ? panel.pinnedMessages.find((pinned) => messageName(pinned) === content || pinned.content === content)
      : { content, type: kind === 'hex' ? ('hex' as const) : ('ascii' as const) };
  const encoded = message === undefined ? null : encodeMessage(message, endingOf(panel));
  return encoded?.ok ? encoded.bytes : null;
}

/** Returns the rules that would send, start a run or record, and are not allowed to. */
export function waitingRules(panels: Panels): readonly Rule[] {
  return panels.flatMap(({ rules }) => rules.filter((rule) => rule.isOn && !rule.mayAct && acts(rule)));
}
