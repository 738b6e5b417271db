/** Serializes a panel for the browser's storage and reads it back. Each value is validated separately when read. */

import { fieldsOf, isRecord, parseJson } from '@wirebench/contract/json';
import { newId, type PinnedMessage, readEntry, type UnknownKeys, without, writeEntry } from '@wirebench/runs';
import { type DevicePanel, longestPanelName, newPanel, noTarget } from './device-panel.ts';
import { maxPinnedMessages } from './panel-failure.ts';
import { readStoredRules, writeStoredRule } from './panel-rules.ts';
import { isTargetPort } from './panels.ts';

/** Format version. Increase it when a value changes its meaning. Records of other versions are ignored. */
const version = 1;

export function writePanel(panel: DevicePanel): string {
  const { pinnedMessages, rules, others, ...values } = panel;
  return JSON.stringify({
    ...others,
    version,
    ...values,
    pinnedMessages: pinnedMessages.map(writeEntry),
    messageIds: pinnedMessages.map(({ id }) => id),
    ...(rules.length > 0 && { rules: rules.map(writeStoredRule) }),
  });
}

/**
 * Parses a stored panel.
 *
 * @param text Stored text, or null if the slot is empty.
 * @returns The panel, or null if the text holds none.
 */
export function readPanel(text: string | null): DevicePanel | null {
  const stored = parseJson(text ?? 'null');
  if (!isRecord(stored) || stored['version'] !== version) {
    return null;
  }
  const { id, name, pinnedTargetPort, ending, loadedJkit, jkitKept, userId } = stored;
  const blank = newPanel('', '');
  return {
    id: isFilled(id) ? id : newId(),
    name: isFilled(name) ? name.slice(0, longestPanelName) : 'Panel',
    pinnedTargetPort: isTargetPort(pinnedTargetPort) ? pinnedTargetPort : noTarget,
    targetChosen: stored['targetChosen'] === true,
    pinnedMessages: readMessages(stored),
    rules: readStoredRules(stored['rules']),
    collapsed: stored['collapsed'] === true,
    lineEnding: stored['lineEnding'] === true,
    ending: ending === 'none' || ending === 'cr' ? ending : null,
    loadedJkit: isRecord(loadedJkit) ? loadedJkit : null,
    jkitKept: {
      content: fieldsOf(fieldsOf(jkitKept)['content']),
      settings: fieldsOf(fieldsOf(jkitKept)['settings']),
    },
    isStarred: stored['isStarred'] === true,
    userId: isFilled(userId) ? userId : null,
    others: without(stored, 'version', 'messageIds', ...Object.keys(blank)),
  };
}

function readMessages({ pinnedMessages, messageIds }: UnknownKeys): readonly PinnedMessage[] {
  const entries: readonly unknown[] = Array.isArray(pinnedMessages) ? pinnedMessages : [];
  const ids: readonly unknown[] = Array.isArray(messageIds) ? messageIds : [];
  const taken = new Set<string>();
  const messages: PinnedMessage[] = [];
  entries.forEach((entry, index) => {
    const id = ids[index];
    const read = readEntry(entry, isFilled(id) && !taken.has(id) ? id : newId());
    if (read !== null && messages.length < maxPinnedMessages) {
      taken.add(read.message.id);
      messages.push(read.message);
    }
  });
  return messages;
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
