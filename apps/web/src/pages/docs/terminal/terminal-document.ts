/** Terminal guide: its texts, and what they take from code. */
import { jkitLimits } from '@wirebench/contract/constants';
import { baudRates, defaultPortSettings } from '@wirebench/port';
import {
  type AnyFraming,
  framingNames,
  framings,
  maxInputLength,
  portNumbers,
  type SessionFailure,
  sessionFailureText,
  showsDecoded,
} from '@wirebench/serial';
import { maxPanels, maxPinnedMessages } from '../../../features/terminal/panels/model/panel-failure.ts';
import { longestHistory } from '../../../features/terminal/send/send-history.ts';
import { shortcuts } from '../../../features/terminal/shortcuts.ts';
import { memoryText } from '../../../shared/format/bytes.ts';
import type { DocsDocument, DocsNode } from '../docs-model.ts';
import { sharedValues, topicLink } from '../docs-values.ts';
import { guide } from './guide.md?guide';

const optionsOf = ({ fields }: AnyFraming): string =>
  Object.values(fields)
    .map((field) => ('name' in field ? field.name : field.label))
    .join(', ') || '–';

/** Failures that the flasher guide explains in more detail than their sentence. */
const guidance: Partial<Record<SessionFailure, DocsNode>> = {
  unsupported: topicLink('serial-access-blocked'),
  busy: topicLink('port-access-denied'),
  'permission-denied': topicLink('permission-denied'),
  'device-gone': topicLink('device-not-found'),
  'no-memory': topicLink('memory-errors'),
};

/** Placeholders as a reader understands them. */
const shown = (text: string) => text.replace('{port}', 'N').replace('{detail}', '…');

export const terminalDocument: DocsDocument = {
  ...guide,
  values: {
    ...sharedValues,
    baudRates: baudRates.join(', '),
    'default.baudRate': defaultPortSettings.baudRate,
    'default.dataBits': defaultPortSettings.dataBits,
    'default.flowControl': defaultPortSettings.flowControl,
    'default.parity': defaultPortSettings.parity,
    'default.stopBits': defaultPortSettings.stopBits,
    'jkit.contentSize': memoryText(jkitLimits.contentSize),
    'jkit.descriptionMaxLength': jkitLimits.descriptionMaxLength,
    'jkit.labelMaxLength': jkitLimits.labelMaxLength,
    'jkit.messageMaxLength': jkitLimits.messageMaxLength,
    'jkit.messages': jkitLimits.messages,
    'jkit.nameMaxLength': jkitLimits.nameMaxLength,
    'jkit.tagMaxLength': jkitLimits.tagMaxLength,
    'jkit.tags': jkitLimits.tags,
    'limits.command': maxInputLength,
    'limits.history': longestHistory,
    'limits.panels': maxPanels,
    'limits.pinned': maxPinnedMessages,
    ports: portNumbers.length,
    unsupported: sessionFailureText.unsupported,
  },
  rows: {
    failures: Object.entries(sessionFailureText).map(([code, text]) => [
      code,
      shown(text),
      guidance[code as SessionFailure] ?? '',
    ]),
    framings: framingNames.map((name) => [
      framings[name].title,
      framings[name].use,
      optionsOf(framings[name]),
      showsDecoded(name) ? 'Decoded frames' : 'Bytes as received',
    ]),
    shortcuts: Object.values(shortcuts).map(({ keys, what }) => [keys, what]),
  },
};
