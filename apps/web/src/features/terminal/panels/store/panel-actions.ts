/**
 * User actions on panels and messages: they apply the rules of `model/`, update the store and announce the result.
 * Each returns null, or the reason for a refusal. A refused duplicate highlights the existing message.
 */

import { jkitText } from '@wirebench/contract';
import type { MessageDraft, MessageText } from '@wirebench/runs';
import { newId, quoted } from '@wirebench/runs';
import { type LineEnding, portNumbers } from '@wirebench/serial';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { type DevicePanel, endingFields, noTarget, type TargetPort } from '../model/device-panel.ts';
import {
  addMessage,
  editMessage,
  messageOf,
  removeMessage,
  reorderMessage,
  type Transfer,
  transferMessage,
} from '../model/messages.ts';
import { panelFailureText } from '../model/panel-failure.ts';
import {
  addPanel,
  changePanel,
  movePanel,
  type Panels,
  type PanelsChange,
  panelOf,
  removePanel,
  renamePanel,
} from '../model/panels.ts';
import { currentUser, otherOwnerOf } from './panel-owner.ts';
import { mark, say } from './panels-session.ts';
import { changePanels, panelsNow } from './panels-store.ts';

/** Reason for a refusal. Null: the action succeeded. */
export type Refused = string | null;

const panels = (): Panels => panelsNow().panels;

/**
 * Stores a change, or highlights the duplicate that prevents it.
 *
 * @param said Announcement for screen readers after success. Null: no announcement.
 */
function apply(change: PanelsChange, said: string | null): Refused {
  if (change.ok) {
    changePanels({ panels: change.panels });
    if (said !== null) {
      say(said);
    }
    return null;
  }
  if (change.existing !== undefined) {
    const { panelId } = change.existing;
    const opened = changePanel(panels(), panelId, (panel) =>
      panel.collapsed ? { ...panel, collapsed: false } : panel,
    );
    changePanels({ panels: opened.ok ? opened.panels : panels() });
    mark(change.existing);
  }
  return panelFailureText[change.code];
}

/** Returns the reason why the messages of a panel cannot be edited, or null if they can. */
function readOnly(panelId: string): Refused {
  const owner = otherOwnerOf(panelId);
  return owner === null ? null : jkitText.notYours(owner);
}

/** Adds a panel. Its target is the only open port. With several open ports the user chooses. */
export function addDevicePanel(): Refused {
  const { ports } = benchStatus.tick.status;
  const [only = noTarget, ...others] = portNumbers.filter((port) => ports[port].state === 'connected');
  const change = addPanel(panels(), newId(), others.length > 0 ? noTarget : only, currentUser());
  return apply(change, change.ok ? `${change.panels.at(-1)?.name} added` : null);
}

/** Returns the first panel. Adds one if there is none. */
export function firstPanel(): DevicePanel | undefined {
  if (panels().length === 0) {
    addDevicePanel();
  }
  return panels()[0];
}

export function removeDevicePanel(id: string): Refused {
  return apply(removePanel(panels(), id), `${nameOf(id)} removed`);
}

export function renameDevicePanel(id: string, name: string): Refused {
  const before = nameOf(id);
  const change = renamePanel(panels(), id, name);
  return apply(change, change.ok ? `${before} renamed to ${panelOf(change.panels, id)?.name}` : null);
}

/** @param step −1 moves up by one, 1 moves down by one. */
export function stepDevicePanel(id: string, step: number): Refused {
  return placeDevicePanel(id, panels().findIndex((panel) => panel.id === id) + step);
}

export function placeDevicePanel(id: string, index: number): Refused {
  const change = movePanel(panels(), id, index);
  const place = change.ok ? change.panels.findIndex((panel) => panel.id === id) : index;
  return apply(change, `${nameOf(id)} is now panel ${place + 1} of ${panels().length}`);
}

export function setCollapsed(id: string, collapsed: boolean): Refused {
  return apply(
    changePanel(panels(), id, (panel) => ({ ...panel, collapsed })),
    '',
  );
}

export function setTarget(id: string, pinnedTargetPort: TargetPort): Refused {
  return apply(
    changePanel(panels(), id, (panel) => ({ ...panel, pinnedTargetPort, targetChosen: true })),
    '',
  );
}

export function setEnding(id: string, chosen: LineEnding): Refused {
  return (
    readOnly(id) ??
    apply(
      changePanel(panels(), id, (panel) => ({ ...panel, ...endingFields(chosen, panel) })),
      '',
    )
  );
}

export function pinMessage(panelId: string, text: MessageText): Refused {
  return (
    readOnly(panelId) ??
    apply(addMessage(panels(), panelId, text, newId()), `${quoted(text)} added to ${nameOf(panelId)}`)
  );
}

export function changeMessage(panelId: string, messageId: string, draft: MessageDraft): Refused {
  return readOnly(panelId) ?? apply(editMessage(panels(), panelId, messageId, draft), `${quoted(draft)} saved`);
}

/**
 * Stores the interval of a repetition with the message. Allowed for other publishers' JKits, because it counts as
 * use, not as editing.
 */
export function rememberRepeat(panelId: string, messageId: string, everyMs: number): void {
  const message = panelOf(panels(), panelId)?.pinnedMessages.find(({ id }) => id === messageId);
  if (message !== undefined) {
    apply(editMessage(panels(), panelId, messageId, { ...message, everyMs }), `${quoted(message)} saved`);
  }
}

export function deleteMessage(panelId: string, messageId: string): Refused {
  return (
    readOnly(panelId) ?? apply(removeMessage(panels(), panelId, messageId), `${textOf(panelId, messageId)} deleted`)
  );
}

/** @param step −1 moves up by one, 1 moves down by one. */
export function stepMessage(panelId: string, messageId: string, step: number): Refused {
  const messages = panelOf(panels(), panelId)?.pinnedMessages ?? [];
  const index = messages.findIndex(({ id }) => id === messageId) + step;
  const place = Math.max(0, Math.min(index, messages.length - 1)) + 1;
  return (
    readOnly(panelId) ??
    apply(
      reorderMessage(panels(), panelId, messageId, index),
      `${textOf(panelId, messageId)} is now command ${place} of ${messages.length}`,
    )
  );
}

export function sendToPanel(transfer: Omit<Transfer, 'copyId'>): Refused {
  const done = transfer.kind === 'copy' ? 'copied' : 'moved';
  const said = `${textOf(transfer.from, transfer.messageId)} ${done} to ${nameOf(transfer.to)}`;
  const refused = readOnly(transfer.to) ?? (transfer.kind === 'move' ? readOnly(transfer.from) : null);
  return refused ?? apply(transferMessage(panels(), { ...transfer, copyId: newId() }), said);
}

const nameOf = (id: string): DevicePanel['name'] => panelOf(panels(), id)?.name ?? '';

function textOf(panelId: string, messageId: string): string {
  const panel = panelOf(panels(), panelId);
  const message = panel && messageOf(panel, messageId);
  return message ? quoted(message) : '';
}
