/** Texts about the effect of saving, loading or deleting a JKit on the panel's messages, the chip's description or the decoder. */

import type { Jkit } from '@wirebench/contract';
import { counted } from '../../../shared/format/numbers.ts';
import { type JkitPanel, typeOf } from '../jkit-panel.ts';

type Panel = Pick<JkitPanel, 'name' | 'pinnedMessages' | 'type'>;

/** Content of a panel that is one text; null for messages. */
const contentName = (panel: Panel): string | null =>
  ({ uart: null, chip: `the description of ${panel.name}`, decoder: `the decoder ${panel.name}` })[typeOf(panel)];

/** Content of the panel after a JKit was deleted. */
const keptTexts = {
  uart: 'Panels keep their messages.',
  chip: 'The description in the editor stays.',
  decoder: 'The decoder in this browser stays.',
} satisfies Record<Jkit['type'], string>;

const saveTitles = {
  uart: 'Save this panel',
  chip: 'Save this chip',
  decoder: 'Save this decoder',
} satisfies Record<Jkit['type'], string>;

export const saveTitle = (panel: Panel): string => saveTitles[typeOf(panel)];

export function saveText(panel: Panel): string {
  const name = contentName(panel);
  const what =
    name === null ? `${counted(panel.pinnedMessages.length, 'message')} from ${panel.name}.` : `${capital(name)}.`;
  return `${what} Only you can see it until you share it.`;
}

/** Text for a panel whose JKit was deleted. */
export function saveAgainText(panel: Panel): string {
  return `Save ${contentName(panel) ?? `the messages of ${panel.name}`} as a new JKit`;
}

export function updateText(panel: Panel): string {
  const name = contentName(panel);
  return name === null
    ? `Its messages are replaced by the ${counted(panel.pinnedMessages.length, 'message')} in ${panel.name}.`
    : `It is replaced by ${name}.`;
}

export function deletedText(panel: Panel): string {
  return `This cannot be undone: its stars and ratings are deleted too. ${keptTexts[typeOf(panel)]}`;
}

/** Text about the content that loading a JKit replaces. */
export function replacedText(panel: Panel): string {
  const { name, pinnedMessages } = panel;
  const content = contentName(panel);
  if (content !== null) {
    return `${capital(content)} is replaced. You can undo that.`;
  }
  switch (pinnedMessages.length) {
    case 0:
      return `Its messages are added to ${name}.`;
    case 1:
      return `The message in ${name} is replaced.`;
    default:
      return `The ${pinnedMessages.length} messages in ${name} are replaced.`;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
