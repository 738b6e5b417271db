/** What can be done with the messages of panels, as pure functions: limits, duplicates and places are decided here. */
import type { DevicePanel } from './device-panel.ts';
import { maxPinnedMessages, type PanelFailure } from './panel-failure.ts';
import { changePanel, moved, type Panels, type PanelsChange, panelOf, type Refusal, refuse } from './panels.ts';
import {
  type MessageDraft,
  type MessageText,
  messageFault,
  messageNumbers,
  newMessage,
  type PinnedMessage,
  sendsTheSame,
  tidy,
} from './pinned-message.ts';
import { without } from './stored-fields.ts';

/** Pins `text` at the end of a panel. @param id must be new. */
export function addMessage(panels: Panels, panelId: string, text: MessageText, id: string): PanelsChange {
  const message = newMessage(id, text);
  const refusal = refusalOf(panelOf(panels, panelId), message, 'command-exists');
  return refusal ?? changeMessages(panels, panelId, (messages) => [...messages, message]);
}

/** Puts what a person has decided about a message in the place of what there was. */
export function editMessage(panels: Panels, panelId: string, messageId: string, draft: MessageDraft): PanelsChange {
  const panel = panelOf(panels, panelId);
  if (panel === undefined) {
    return refuse('panel-not-found');
  }
  const before = messageOf(panel, messageId);
  if (before === undefined) {
    return refuse('message-not-found');
  }
  if (draft.content !== before.content || draft.type !== before.type) {
    const fault = messageFault(draft);
    if (fault !== null) {
      return refuse(fault);
    }
    const same = panel.pinnedMessages.find((other) => other !== before && sendsTheSame(other, draft));
    if (same !== undefined) {
      return exists('command-exists', panel, same);
    }
  }
  const decided = without(before.others, 'expect', ...Object.keys(messageNumbers));
  const after: PinnedMessage = {
    ...before,
    ...draft,
    id: messageId,
    content: tidy(draft.content, draft.type),
    others: decided,
  };
  return changeMessages(panels, panelId, (messages) =>
    messages.map((message) => (message === before ? after : message)),
  );
}

export function removeMessage(panels: Panels, panelId: string, messageId: string): PanelsChange {
  return withMessage(panels, panelId, messageId, (message) =>
    changeMessages(panels, panelId, (messages) => messages.filter((other) => other !== message)),
  );
}

/** @param index where it stands afterwards; beyond either end counts as that end. */
export function reorderMessage(panels: Panels, panelId: string, messageId: string, index: number): PanelsChange {
  return withMessage(panels, panelId, messageId, (message) =>
    changeMessages(panels, panelId, (messages) => moved(messages, message, index)),
  );
}

export interface Transfer {
  readonly from: string;
  readonly messageId: string;
  readonly to: string;
  readonly kind: 'move' | 'copy';
  /** Where it stands in the target; at its end unless told. */
  readonly index?: number | undefined;
  /** Id of the copy; must be new. */
  readonly copyId: string;
}

/** Moves or copies a message to another panel. A copy into its own panel is a duplicate and refused as one. */
export function transferMessage(panels: Panels, transfer: Transfer): PanelsChange {
  const { from, messageId, to, kind, index, copyId } = transfer;
  const target = panelOf(panels, to);
  if (target === undefined) {
    return refuse('panel-not-found');
  }
  if (from === to && kind === 'move') {
    return reorderMessage(panels, from, messageId, index ?? target.pinnedMessages.length);
  }
  return withMessage(panels, from, messageId, (message) => {
    const refusal = refusalOf(target, message, from === to ? 'exists-in-this-panel' : 'exists-in-target-panel', {
      asItIs: true,
    });
    if (refusal !== null) {
      return refusal;
    }
    const arriving = kind === 'copy' ? { ...message, id: copyId } : message;
    const left =
      kind === 'copy' ? panels : panels.map((panel) => (panel.id === from ? withoutMessage(panel, message) : panel));
    return changeMessages(left, to, (messages) => moved([...messages, arriving], arriving, index ?? messages.length));
  });
}

export const messageOf = (panel: DevicePanel, id: string): PinnedMessage | undefined =>
  panel.pinnedMessages.find((message) => message.id === id);

/** Null when `message` may come into `panel`. @param asItIs it was accepted once already, by whatever rules. */
function refusalOf(
  panel: DevicePanel | undefined,
  message: MessageText,
  duplicate: PanelFailure,
  { asItIs = false } = {},
): Refusal | null {
  if (panel === undefined) {
    return refuse('panel-not-found');
  }
  const fault = asItIs ? null : messageFault(message);
  if (fault !== null) {
    return refuse(fault);
  }
  const same = panel.pinnedMessages.find((other) => sendsTheSame(other, message));
  if (same !== undefined) {
    return exists(duplicate, panel, same);
  }
  return panel.pinnedMessages.length >= maxPinnedMessages ? refuse('message-limit') : null;
}

function exists(code: PanelFailure, panel: DevicePanel, message: PinnedMessage): Refusal {
  return refuse(code, { panelId: panel.id, messageId: message.id });
}

function withMessage(
  panels: Panels,
  panelId: string,
  messageId: string,
  change: (message: PinnedMessage) => PanelsChange,
): PanelsChange {
  const panel = panelOf(panels, panelId);
  if (panel === undefined) {
    return refuse('panel-not-found');
  }
  const message = messageOf(panel, messageId);
  return message === undefined ? refuse('message-not-found') : change(message);
}

function changeMessages(
  panels: Panels,
  panelId: string,
  change: (messages: readonly PinnedMessage[]) => readonly PinnedMessage[],
): PanelsChange {
  return changePanel(panels, panelId, (panel) => ({ ...panel, pinnedMessages: change(panel.pinnedMessages) }));
}

const withoutMessage = (panel: DevicePanel, message: PinnedMessage): DevicePanel => ({
  ...panel,
  pinnedMessages: panel.pinnedMessages.filter((other) => other !== message),
});
