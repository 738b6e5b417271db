/** Operations on the messages of panels, as pure functions. They enforce limits, duplicates and order. */

import {
  hasValuePlace,
  longestLabel,
  type MessageDraft,
  type MessageText,
  messageFault,
  messageNumbers,
  newMessage,
  type PinnedMessage,
  plainFlow,
  sendsTheSame,
  tidy,
  usualValue,
  without,
  withRenamedLabel,
} from '@wirebench/runs';
import type { DevicePanel } from './device-panel.ts';
import { maxPinnedMessages, type PanelFailure } from './panel-failure.ts';
import { changePanel, moved, type Panels, type PanelsChange, panelOf, type Refusal, refuse } from './panels.ts';

/**
 * Appends `text` to a panel as a pinned message. A text with `{value}` asks for a number from the usual range.
 *
 * @param id Id of the new message. Must be unique.
 */
export function addMessage(panels: Panels, panelId: string, text: MessageText, id: string): PanelsChange {
  const plain = newMessage(id, text);
  const isOpen = plain.type === 'ascii' && hasValuePlace(plain.content);
  const message: PinnedMessage = isOpen ? { ...plain, flow: { ...plainFlow, value: usualValue } } : plain;
  const refusal = refusalOf(panelOf(panels, panelId), message, 'command-exists');
  return refusal ?? changeMessages(panels, panelId, (messages) => [...messages, message]);
}

/**
 * Replaces the editable fields of a message with `draft`. Branches of the panel that lead to its label follow a new
 * label, if no other message has the old or the new one. Branches to a label that is removed stay, and a run reports them.
 */
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
  const decided = without(before.others, 'label', 'hidden', 'expect', 'file', 'flow', ...Object.keys(messageNumbers));
  const after: PinnedMessage = {
    ...before,
    ...draft,
    id: messageId,
    content: tidy(draft.content, draft.type),
    label: draft.label.trim().slice(0, longestLabel),
    others: decided,
  };
  const others = panel.pinnedMessages.filter((message) => message !== before);
  const isFollowed =
    before.label !== '' &&
    after.label !== '' &&
    before.label !== after.label &&
    others.every(({ label }) => label !== before.label && label !== after.label);
  const follow = (message: PinnedMessage): PinnedMessage => {
    const flow = message.flow === null ? null : withRenamedLabel(message.flow, before.label, after.label);
    return flow === message.flow ? message : { ...message, flow };
  };
  return changeMessages(panels, panelId, (messages) =>
    messages.map((message) => {
      const kept = message === before ? after : message;
      return isFollowed ? follow(kept) : kept;
    }),
  );
}

export function removeMessage(panels: Panels, panelId: string, messageId: string): PanelsChange {
  return withMessage(panels, panelId, messageId, (message) =>
    changeMessages(panels, panelId, (messages) => messages.filter((other) => other !== message)),
  );
}

/**
 * Moves a message within its panel.
 *
 * @param index Position after the move, clamped to the list.
 */
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
  /** Position in the target panel. Default: the end. */
  readonly index?: number | undefined;
  /** Id of the copy. Must be unique. */
  readonly copyId: string;
}

/** Moves or copies a message to another panel. A copy into its own panel is refused as a duplicate. */
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

/**
 * Returns the reason that `message` may not be added to `panel`, or null if it may.
 *
 * @param asItIs True: skip the check of the text, because the message was accepted before.
 */
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
