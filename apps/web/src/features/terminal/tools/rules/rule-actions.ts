/** Actions of a person on rules. Each returns the reason of a refusal, or null. */
import { jkitText } from '@wirebench/contract';
import { newId } from '@wirebench/runs';
import { acts, newRule, type PortNumber, type Rule, ruleLimits } from '@wirebench/serial';
import { type DevicePanel, noTarget } from '../../panels/model/device-panel.ts';
import { changePanel, type Panels, panelOf } from '../../panels/model/panels.ts';
import { addDevicePanel, setTarget } from '../../panels/store/panel-actions.ts';
import { otherOwnerOf } from '../../panels/store/panel-owner.ts';
import { changePanels, panelsNow } from '../../panels/store/panels-store.ts';

export type Refused = string | null;

const panels = () => panelsNow().panels;

/** Returns a new rule without a condition. */
export const blankRule = (): Rule => newRule({ id: newId(), actions: { colour: 'red' } });

/** Finds a rule and its panel; null if it is gone. */
export function placeOfRule(all: Panels, id: string): { readonly panel: DevicePanel; readonly rule: Rule } | null {
  for (const panel of all) {
    const rule = panel.rules.find((own) => own.id === id);
    if (rule !== undefined) {
      return { panel, rule };
    }
  }
  return null;
}

function change(panelId: string, make: (rules: readonly Rule[]) => readonly Rule[]): void {
  const changed = changePanel(panels(), panelId, (panel) => ({ ...panel, rules: make(panel.rules) }));
  if (changed.ok) {
    changePanels({ panels: changed.panels });
  }
}

function readOnly(panelId: string): Refused {
  const owner = otherOwnerOf(panelId);
  return owner === null ? null : jkitText.notYours(owner);
}

/** Returns the id of the first panel, which is added if there is none; null if that is refused. */
export function panelForRules(): string | null {
  if (panels().length === 0) {
    addDevicePanel();
  }
  return panels()[0]?.id ?? null;
}

/**
 * Returns the id of the panel for a rule that acts on `port`: one with this target, or one without a target, or a new one.
 * Null: all panels have other targets, and no more can be added.
 */
export function panelForPort(port: PortNumber): string | null {
  const aimed = panels().find(({ pinnedTargetPort }) => pinnedTargetPort === port);
  if (aimed !== undefined) {
    return aimed.id;
  }
  const free = panels().find(({ pinnedTargetPort, rules }) => pinnedTargetPort === noTarget && rules.length === 0);
  if (free === undefined && addDevicePanel() !== null) {
    return null;
  }
  const id = free?.id ?? panels().at(-1)?.id ?? null;
  if (id !== null) {
    setTarget(id, port);
  }
  return id;
}

/** Adds a rule or replaces the one with the same id, also of another panel. */
export function saveRule(panelId: string, rule: Rule): Refused {
  const before = placeOfRule(panels(), rule.id);
  const refused = readOnly(panelId) ?? (before === null ? null : readOnly(before.panel.id));
  if (refused !== null) {
    return refused;
  }
  const isThere = before?.panel.id === panelId;
  if (!isThere && (panelOf(panels(), panelId)?.rules.length ?? 0) >= ruleLimits.rules) {
    return `A panel has at most ${ruleLimits.rules} rules. Delete one to make room.`;
  }
  if (isThere) {
    setRule(panelId, rule);
    return null;
  }
  if (before !== null) {
    change(before.panel.id, (rules) => rules.filter(({ id }) => id !== rule.id));
  }
  change(panelId, (rules) => [...rules, rule]);
  return null;
}

/** Replaces a rule. Switching one on or off is use of a JKit, so it is allowed in those of others. */
export function setRule(panelId: string, rule: Rule): void {
  change(panelId, (rules) => rules.map((own) => (own.id === rule.id ? rule : own)));
}

/** Deletes a rule. Call `undo` to restore it. */
export function deleteRule(panelId: string, rule: Rule): { readonly refused: Refused; readonly undo: () => void } {
  const refused = readOnly(panelId);
  const before = panelOf(panels(), panelId)?.rules ?? [];
  if (refused === null) {
    change(panelId, (rules) => rules.filter(({ id }) => id !== rule.id));
  }
  return { refused, undo: () => change(panelId, () => before) };
}

/** Adds rules of a file, up to the limit. Returns how many were added. */
export function addRules(panelId: string, rules: readonly Rule[]): number {
  const room = ruleLimits.rules - (panelOf(panels(), panelId)?.rules.length ?? 0);
  const added = rules.slice(0, Math.max(0, room));
  change(panelId, (own) => [...own, ...added]);
  return added.length;
}

/** Allows a rule to send, run and record. */
export function allowRule(panelId: string, rule: Rule): void {
  if (acts(rule)) {
    setRule(panelId, { ...rule, mayAct: true });
  }
}
