/** Actions on panels and JKits: loading a JKit, and tracking the JKit that a panel came from. */

import type { Jkit } from '@wirebench/runs';
import { newId, without } from '@wirebench/runs';
import { changeTerminalSession } from '../../terminal-session.ts';
import { showTool } from '../../tools/open-tool.ts';
import type { DevicePanel } from '../model/device-panel.ts';
import { jkitFromPanel, panelFromJkit } from '../model/jkit-content.ts';
import { panelFailureText } from '../model/panel-failure.ts';
import { addPanel, changePanel, panelOf } from '../model/panels.ts';
import { stopRun } from '../run/runs.ts';
import { currentUser } from './panel-owner.ts';
import { setRefusal } from './panels-session.ts';
import { changePanels, panelsNow } from './panels-store.ts';

/** @property undo Restores the panel's previous messages. */
export type JkitLoaded =
  | { readonly ok: true; readonly warnings: readonly string[]; readonly undo: () => void }
  | { readonly ok: false; readonly reason: string };

const panels = () => panelsNow().panels;

function change(id: string, make: (panel: DevicePanel) => DevicePanel): void {
  const changed = changePanel(panels(), id, make);
  if (changed.ok) {
    changePanels({ panels: changed.panels });
  }
}

/** Replaces the panel's messages with those of the JKit. Stops the panel's run. */
export function loadJkit(panelId: string, jkit: Jkit, isStarred: boolean): JkitLoaded {
  const before = panelOf(panels(), panelId);
  const result = panelFromJkit(before, jkit);
  if (!result.ok || before === undefined) {
    return { ok: false, reason: panelFailureText[result.ok ? 'no-panel-for-jkit' : result.code] };
  }
  stopRun(panelId);
  change(panelId, () => ({ ...result.panel, collapsed: false, isStarred, userId: currentUser() }));
  setRefusal(panelId, null);
  const undo = () => {
    stopRun(panelId);
    change(panelId, ({ name, pinnedTargetPort, collapsed }) => ({ ...before, name, pinnedTargetPort, collapsed }));
  };
  return { ok: true, warnings: result.warnings, undo };
}

/** Returns the panel as JKit content, or null if the panel no longer exists. */
export function jkitContentOf(panelId: string): string | null {
  const panel = panelOf(panels(), panelId);
  return panel === undefined ? null : jkitFromPanel(panel);
}

/** Records that the panel was saved as this JKit. */
export function attachJkit(panelId: string, jkit: Jkit): void {
  change(panelId, (panel) => ({ ...panel, loadedJkit: without(jkit, 'content'), isStarred: false }));
}

/** Updates the JKit's data in every panel that was loaded from it. */
export function refreshJkit(jkit: Jkit): void {
  changeLoaded(jkit['_id'], (panel) => ({ ...panel, loadedJkit: without(jkit, 'content') }));
}

/** Detaches the panel from its JKit, so that its messages become the user's own and editable. */
export function copyToOwn(panelId: string): { readonly undo: () => void } {
  const before = panelOf(panels(), panelId)?.loadedJkit ?? null;
  const starred = panelOf(panels(), panelId)?.isStarred ?? false;
  change(panelId, (panel) => ({
    ...panel,
    loadedJkit: { name: before?.['name'], copiedFrom: before?.['publisher'] },
    isStarred: false,
  }));
  return { undo: () => change(panelId, (panel) => ({ ...panel, loadedJkit: before, isStarred: starred })) };
}

export function forgetJkit(jkitId: string): void {
  changeLoaded(jkitId, (panel) => ({ ...panel, loadedJkit: null, isStarred: false }));
}

export function setJkitStarred(jkitId: string, isStarred: boolean): void {
  changeLoaded(jkitId, (panel) => ({ ...panel, isStarred }));
}

function changeLoaded(jkitId: unknown, make: (panel: DevicePanel) => DevicePanel): void {
  for (const { id, loadedJkit } of panels()) {
    if (loadedJkit?.['_id'] === jkitId) {
      change(id, make);
    }
  }
}

/** @property loaded True: the panel was loaded from this JKit. */
export interface JkitPlace extends Pick<DevicePanel, 'id' | 'name'> {
  readonly loaded: boolean;
}

/**
 * Returns a panel into which a JKit can be loaded without losing messages. Preference: a panel loaded from it, a
 * panel without messages, a new panel. Null if all panels are in use.
 */
export function placeForJkit(jkitId: string): JkitPlace | null {
  const there = panels().find(({ loadedJkit }) => loadedJkit?.['_id'] === jkitId);
  if (there !== undefined) {
    return { ...there, loaded: true };
  }
  const empty = panels().find(({ pinnedMessages, rules }) => pinnedMessages.length === 0 && rules.length === 0);
  if (empty !== undefined) {
    return { ...empty, loaded: false };
  }
  const id = newId();
  const added = addPanel(panels(), id);
  if (!added.ok) {
    return null;
  }
  changePanels({ panels: added.panels });
  return { id, name: panelOf(added.panels, id)?.name ?? '', loaded: false };
}

/** Shows the panels in the dock. */
export function showPanels(): void {
  changeTerminalSession({ settingsOpen: false });
  showTool('panels');
}
