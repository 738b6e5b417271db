/** Operations on the list of panels, as pure functions: each returns a new list or a refusal. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import {
  allPorts,
  type DevicePanel,
  freeName,
  longestPanelName,
  newPanel,
  noTarget,
  onePort,
  type TargetPort,
} from './device-panel.ts';
import { maxPanels, type PanelFailure } from './panel-failure.ts';

/** The panels in display order. */
export type Panels = readonly DevicePanel[];

/** Location of a message. */
export interface MessagePlace {
  readonly panelId: string;
  readonly messageId: string;
}

export interface Refusal {
  readonly ok: false;
  readonly code: PanelFailure;
  /** The message that already exists, for failures about duplicates. */
  readonly existing?: MessagePlace;
}

export type PanelsChange = { readonly ok: true; readonly panels: Panels } | Refusal;

export const refuse = (code: PanelFailure, existing?: MessagePlace): Refusal => ({
  ok: false,
  code,
  ...(existing && { existing }),
});

export const panelOf = (panels: Panels, id: string): DevicePanel | undefined => panels.find((panel) => panel.id === id);

/**
 * Appends an empty panel with a free name.
 *
 * @param id Id of the new panel. Must be unique.
 * @param target Port that the panel's messages are sent to at first.
 * @param userId Signed-in user who adds it, or null if signed out.
 */
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

/** Replaces one panel by the result of `change`. The other panels keep their identity. */
export function changePanel(panels: Panels, id: string, change: (panel: DevicePanel) => DevicePanel): PanelsChange {
  return panelOf(panels, id) === undefined
    ? refuse('panel-not-found')
    : { ok: true, panels: panels.map((panel) => (panel.id === id ? change(panel) : panel)) };
}

/** Renames a panel. An empty name becomes a free 'Panel N'. */
export function renamePanel(panels: Panels, id: string, name: string): PanelsChange {
  const others = panels.filter((panel) => panel.id !== id);
  const chosen = name.trim().slice(0, longestPanelName).trim() || freeName(others);
  return changePanel(panels, id, (panel) => ({ ...panel, name: chosen }));
}

/**
 * Moves a panel within the list.
 *
 * @param index Position after the move, clamped to the list.
 */
export function movePanel(panels: Panels, id: string, index: number): PanelsChange {
  const panel = panelOf(panels, id);
  return panel === undefined ? refuse('panel-not-found') : { ok: true, panels: moved(panels, panel, index) };
}

/** Returns a copy of `items` with `item` moved to `index`. An `item` that is not in the list is inserted. */
export function moved<Item>(items: readonly Item[], item: Item, index: number): readonly Item[] {
  const rest = items.filter((other) => other !== item);
  return rest.toSpliced(Math.max(0, Math.min(index, rest.length)), 0, item);
}

/**
 * Clears the target of every panel whose port is gone.
 *
 * @returns The changed list, and the panels that lost their target, in their previous state.
 */
export function clearTargets(
  panels: Panels,
  gone: ReadonlySet<PortNumber>,
): { readonly panels: Panels; readonly cleared: Panels } {
  const isGone = (panel: DevicePanel) => {
    const port = onePort(panel);
    return port !== null && gone.has(port);
  };
  return {
    panels: panels.map((panel) => (isGone(panel) ? { ...panel, pinnedTargetPort: noTarget } : panel)),
    cleared: panels.filter(isGone),
  };
}

export const isTargetPort = (value: unknown): value is DevicePanel['pinnedTargetPort'] =>
  value === noTarget || value === allPorts || portNumbers.some((port) => port === value);
