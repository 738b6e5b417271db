/** Converts between a panel and a JKit's content. */

import { type Jkit, readContent, without, writeEntry, writeRules } from '@wirebench/runs';
import type { DevicePanel } from './device-panel.ts';
import type { PanelFailure } from './panel-failure.ts';
import { withOtherMessages } from './panel-rules.ts';

export type JkitLoad =
  | { readonly ok: true; readonly panel: DevicePanel; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly code: PanelFailure };

/**
 * Returns the panel with the JKit's messages and line ending, and the JKit recorded as loaded. The panel keeps its
 * name, target and position.
 */
export function panelFromJkit(panel: DevicePanel | undefined, jkit: Jkit): JkitLoad {
  if (panel === undefined) {
    return { ok: false, code: 'no-panel-for-jkit' };
  }
  const read = readContent(jkit.content);
  if (!read.ok) {
    return read;
  }
  const { messages, rules, lineEnding, ending, kept, warnings } = read.parts;
  return {
    ok: true,
    panel: {
      ...panel,
      pinnedMessages: messages,
      // A JKit without rules leaves those of the panel.
      rules: rules ?? panel.rules.map(withOtherMessages),
      lineEnding,
      ending,
      loadedJkit: without(jkit, 'content'),
      jkitKept: kept,
    },
    warnings,
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
