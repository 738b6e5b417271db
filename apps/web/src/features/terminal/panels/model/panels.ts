/** What can be done with the list of panels, as pure functions: a list in, a list or a refusal out. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type DevicePanel, freeName, longestPanelName, newPanel, noTarget, type TargetPort } from './device-panel.ts';
import { maxPanels, type PanelFailure } from './panel-failure.ts';

/** In the order in which they are shown. */
export type Panels = readonly DevicePanel[];

/** Where a message stands. */
export interface MessagePlace {
  readonly panelId: string;
  readonly messageId: string;
}

export interface Refusal {
  readonly ok: false;
  readonly code: PanelFailure;
  /** The message that is there already, for the failures that are about one. */
  readonly existing?: MessagePlace;
}

export type PanelsChange = { readonly ok: true; readonly panels: Panels } | Refusal;

export const refuse = (code: PanelFailure, existing?: MessagePlace): Refusal => ({
  ok: false,
  code,
  ...(existing && { existing }),
});

export const panelOf = (panels: Panels, id: string): DevicePanel | undefined => panels.find((panel) => panel.id === id);

/** @param id must be new. @param target the port that its messages go to at first */
/** @param userId Signed-in user who adds it; null for nobody. */
export function addPanel(
  panels: Panels,
  id: string,
  target: TargetPort = noTarget,
  userId: string | null = null,
): PanelsChange {
  return panels.length >= maxPanels
    ? refuse('panel-limit')
    : { ok: true, panels: [...panels, { ...newPanel(id, freeName(panels)), pinnedTargetPort: target, userId }] };
}

export function removePanel(panels: Panels, id: string): PanelsChange {
  return panelOf(panels, id) === undefined
    ? refuse('panel-not-found')
    : { ok: true, panels: panels.filter((panel) => panel.id !== id) };
}

/** Changes one panel; the others stay the same objects. */
export function changePanel(panels: Panels, id: string, change: (panel: DevicePanel) => DevicePanel): PanelsChange {
  return panelOf(panels, id) === undefined
    ? refuse('panel-not-found')
    : { ok: true, panels: panels.map((panel) => (panel.id === id ? change(panel) : panel)) };
}

/** An empty name falls back to a free 'Device N'. */
export function renamePanel(panels: Panels, id: string, name: string): PanelsChange {
  const others = panels.filter((panel) => panel.id !== id);
  const chosen = name.trim().slice(0, longestPanelName).trim() || freeName(others);
  return changePanel(panels, id, (panel) => ({ ...panel, name: chosen }));
}

/** @param index where it stands afterwards; beyond either end counts as that end. */
export function movePanel(panels: Panels, id: string, index: number): PanelsChange {
  const panel = panelOf(panels, id);
  return panel === undefined ? refuse('panel-not-found') : { ok: true, panels: moved(panels, panel, index) };
}

/** `items` with `item` taken out and put in at `index`. */
export function moved<Item>(items: readonly Item[], item: Item, index: number): readonly Item[] {
  const rest = items.filter((other) => other !== item);
  return rest.toSpliced(Math.max(0, Math.min(index, rest.length)), 0, item);
}

/** Takes the target from every panel whose port is gone. @returns the panels that lost theirs, as they were. */
export function clearTargets(
  panels: Panels,
  gone: ReadonlySet<PortNumber>,
): { readonly panels: Panels; readonly cleared: Panels } {
  const isGone = ({ pinnedTargetPort }: DevicePanel) => pinnedTargetPort !== noTarget && gone.has(pinnedTargetPort);
  return {
    panels: panels.map((panel) => (isGone(panel) ? { ...panel, pinnedTargetPort: noTarget } : panel)),
    cleared: panels.filter(isGone),
  };
}

export const isTargetPort = (value: unknown): value is DevicePanel['pinnedTargetPort'] =>
  value === noTarget || portNumbers.some((port) => port === value);
