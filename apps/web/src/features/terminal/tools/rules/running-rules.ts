/** Translates the rules of panels to those that the worker watches. Pure. */

import { encodeMessage, endingOf, hiddenName, messageName, numbersOf } from '@wirebench/runs';
import { acts, type PortNumber, type Rule, type RuleAnswer } from '@wirebench/serial';
import type { RunningRule } from '../../../../protocol/bench/rule-part.ts';
import { allPorts, type DevicePanel, noTarget } from '../../panels/model/device-panel.ts';
import type { Panels } from '../../panels/model/panels.ts';

/** Last port of each panel that has lost it, by panel id. */
export type LastPorts = ReadonlyMap<DevicePanel['id'], PortNumber>;

/**
 * Returns the ports that panels have or had. A panel without a target keeps its last port until a board is connected
 * there, which may be another one.
 */
export function lastPortsOf(before: LastPorts, panels: Panels, isConnected: (port: PortNumber) => boolean): LastPorts {
  return new Map(
    panels.flatMap((panel) => {
      const last = before.get(panel.id);
      const port = portOf(panel, last);
      const isGone = panel.pinnedTargetPort === noTarget && last !== undefined && isConnected(last);
      return port === undefined || port === allPorts || isGone ? [] : [[panel.id, port] as const];
    }),
  );
}

/** Returns the panel's target, or the port that it had last. */
const portOf = ({ pinnedTargetPort }: DevicePanel, last: PortNumber | undefined) =>
  pinnedTargetPort === noTarget ? last : pinnedTargetPort;

/** Returns true for a rule about the port of a panel that has none. */
export function rests({ pinnedTargetPort }: DevicePanel, { isOn, where }: Rule): boolean {
  return isOn && where === 'panel' && pinnedTargetPort === noTarget;
}

/**
 * Returns the rules that are on, in the order of panels and rules. A resting rule keeps its look of the lines of the
 * panel's last port, and does nothing else.
 */
export function runningRules(panels: Panels, lastPorts: LastPorts = new Map()): RunningRule[] {
  return panels.flatMap((panel) =>
    panel.rules.filter(({ isOn }) => isOn).map((rule) => runningRule(panel, rule, lastPorts.get(panel.id))),
  );
}

/** Returns true for a rule that can match lines of an opened log. A log is never silent. */
export const isForLogs = ({ condition }: Rule): boolean => condition.kind !== 'silence';

/** Returns the rules that are on, as they are for opened logs: each is for all of them, and nothing is sent or done. */
export function logRules(panels: Panels): RunningRule[] {
  return panels.flatMap(({ rules }) =>
    rules
      .filter((rule) => rule.isOn && isForLogs(rule))
      .map(({ id, name, condition, actions: { colour, colours, mark } }) => ({
        id,
        name,
        condition,
        ports: null,
        colour,
        colours,
        mark,
        answer: null,
        answerName: null,
        isReported: false,
      })),
  );
}

function runningRule(panel: DevicePanel, rule: Rule, lastPort: PortNumber | undefined): RunningRule {
  const { id, name, where, condition, actions, mayAct } = rule;
  const { colour, colours, mark, answer, note, sound, notify, run, record } = actions;
  const isResting = rests(panel, rule);
  const port = portOf(panel, lastPort);
  const ports = where === 'all' || port === allPorts ? null : port === undefined ? [] : [port];
  const sends = mayAct && answer !== null && !isResting;
  return {
    id,
    name,
    condition,
    ports,
    colour,
    colours,
    mark,
    ...(sends ? answerBytes(panel, answer) : noAnswer),
    isReported: !isResting && (note || sound || notify || (mayAct && (run || record !== null))),
  };
}

const noAnswer = { answer: null, answerName: null };

/** Returns the bytes of an answer, without them if its pinned message is gone or asks for a number. */
function answerBytes(panel: DevicePanel, { kind, content }: RuleAnswer): Pick<RunningRule, 'answer' | 'answerName'> {
  const pinned = panel.pinnedMessages.find((own) => messageName(own) === content || own.content === content);
  const message =
    kind === 'pinned' ? pinned : { content, type: kind === 'hex' ? ('hex' as const) : ('ascii' as const) };
  const isOpen = kind === 'pinned' && pinned !== undefined && numbersOf(pinned) !== null;
  const encoded = message === undefined || isOpen ? null : encodeMessage(message, endingOf(panel));
  const answerName = kind === 'pinned' && pinned !== undefined ? hiddenName(pinned) : null;
  return encoded?.ok ? { answer: encoded.bytes, answerName } : noAnswer;
}

/** Returns the rules that would send, start a run or record, and are not allowed to. */
export function waitingRules(panels: Panels): readonly Rule[] {
  return panels.flatMap(({ rules }) => rules.filter((rule) => rule.isOn && !rule.mayAct && acts(rule)));
}
