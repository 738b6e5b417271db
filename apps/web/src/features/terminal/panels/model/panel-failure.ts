/** Failures of operations on panels, each with its text (docs/behaviour.md, "Panels"). */
import type { MessageFault } from '@wirebench/runs';
import { inputFailureText } from '@wirebench/serial';

export const maxPanels = 4;
export const maxPinnedMessages = 50;

export type PanelFailure =
  | MessageFault
  | 'panel-limit'
  | 'message-limit'
  | 'command-exists'
  | 'exists-in-this-panel'
  | 'exists-in-target-panel'
  | 'panel-not-found'
  | 'message-not-found'
  | 'no-panel-for-jkit'
  | 'jkit-format'
  | 'jkit-without-fields';

export const panelFailureText = {
  empty: 'Type a command first.',
  'too-long': inputFailureText['too-long'],
  'invalid-hex': inputFailureText['invalid-hex'],
  'odd-hex': inputFailureText['odd-hex'],
  'panel-limit': 'Maximum of 4 device panels reached. Cannot add more panels.',
  'message-limit': 'Maximum of 50 pinned messages reached. Delete one to make room.',
  'command-exists': 'Command already exists in this panel',
  'exists-in-this-panel': 'Message already exists in this panel',
  'exists-in-target-panel': 'Message already exists in target panel',
  'panel-not-found': 'Device panel not found',
  'message-not-found': 'This message no longer exists. It was deleted or moved.',
  'no-panel-for-jkit': 'No device instance available to load jkit',
  'jkit-format': 'Invalid jkit format',
  'jkit-without-fields': 'Invalid jkit format - no fields array found',
} satisfies Record<PanelFailure, string>;

/** Tooltip of the button that adds a panel, while the limit is reached. */
export const panelLimitHint = 'Maximum of 4 devices allowed';
