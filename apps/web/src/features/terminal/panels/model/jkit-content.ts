/**
 * Converts between a panel and a JKit's content: JSON text with `fields` and `settings`. Unknown keys are kept, so
 * that loading and saving loses nothing.
 */

import { fieldsOf, isRecord, parseJson } from '../../../../shared/json.ts';
import type { DevicePanel, LoadedJkit } from './device-panel.ts';
import { jkitWarning, maxPinnedMessages, type PanelFailure } from './panel-failure.ts';
import { readRules, withOtherMessages, writeRules } from './panel-rules.ts';
import { readEntry, writeEntry } from './pinned-message.ts';
import { newId, without } from './stored-fields.ts';

export type JkitLoad =
  | { readonly ok: true; readonly panel: DevicePanel; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly code: PanelFailure };

/** A JKit as the server returns it. */
export interface Jkit extends LoadedJkit {
  readonly content: string;
}

/**
 * Returns the panel with the JKit's messages and line ending, and the JKit recorded as loaded. The panel keeps its
 * name, target and position. Duplicate messages of the JKit are kept.
 */
export function panelFromJkit(panel: DevicePanel | undefined, jkit: Jkit): JkitLoad {
  if (panel === undefined) {
    return { ok: false, code: 'no-panel-for-jkit' };
  }
  const content = parseJson(jkit.content);
  if (!isRecord(content)) {
    return { ok: false, code: 'jkit-format' };
  }
  const { fields } = content;
  if (!Array.isArray(fields)) {
    return { ok: false, code: 'jkit-without-fields' };
  }
  const read = fields.map((entry: unknown) => readEntry(entry, newId())).filter((entry) => entry !== null);
  const loaded = read.slice(0, maxPinnedMessages);
  const settings = fieldsOf(content['settings']);
  const { lineEnding, ending } = settings;
  const rules = readRules(content['rules']);
  const knownEnding = ending === 'none' || ending === 'cr' ? ending : null;
  return {
    ok: true,
    panel: {
      ...panel,
      pinnedMessages: loaded.map(({ message }) => message),
      // A JKit without rules leaves those of the panel.
      rules: 'rules' in content ? rules.read : panel.rules.map(withOtherMessages),
      lineEnding: lineEnding === true,
      ending: knownEnding,
      loadedJkit: without(jkit, 'content'),
      jkitKept: {
        content: {
          ...without(content, 'fields', 'settings', 'rules'),
          ...(rules.unread !== undefined && { rules: rules.unread }),
        },
        settings: without(settings, 'lineEnding', ...(knownEnding === null ? [] : ['ending'])),
      },
    },
    warnings: [
      ...warned(loaded.filter(({ cut }) => cut).length, jkitWarning.cut),
      ...(read.length > maxPinnedMessages ? [jkitWarning.tooMany(read.length)] : []),
      ...warned(fields.length - read.length, jkitWarning.unreadable),
      ...rules.faults,
    ],
  };
}

/** Returns the JKit content from which `panelFromJkit` restores this panel's messages and line ending. */
export function jkitFromPanel({ pinnedMessages, rules, lineEnding, ending, jkitKept }: DevicePanel): string {
  return JSON.stringify({
    ...jkitKept.content,
    fields: pinnedMessages.map(writeEntry),
    ...writeRules(rules, jkitKept.content['rules']),
    settings: { ...jkitKept.settings, lineEnding, ...(ending === null ? {} : { ending }) },
  });
}

const warned = (count: number, words: (count: number) => string): string[] => (count === 0 ? [] : [words(count)]);
