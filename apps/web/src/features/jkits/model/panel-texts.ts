/** Texts about the effect of saving, loading or deleting a JKit on the panel's messages or the chip's description. */

import { counted } from '../../../shared/format/numbers.ts';
import { type JkitPanel, typeOf } from '../jkit-panel.ts';

type Panel = Pick<JkitPanel, 'name' | 'pinnedMessages' | 'type'>;

const isChip = (panel: Panel) => typeOf(panel) === 'chip';

export const saveTitle = (panel: Panel): string => (isChip(panel) ? 'Save this chip' : 'Save this panel');

export function saveText(panel: Panel): string {
  const what = isChip(panel)
    ? `The description of ${panel.name}.`
    : `${counted(panel.pinnedMessages.length, 'message')} from ${panel.name}.`;
  return `${what} Only you can see it until you share it.`;
}

/** Text for a panel whose JKit was deleted. */
export function saveAgainText(panel: Panel): string {
  return isChip(panel)
    ? `Save the description of ${panel.name} as a new JKit`
    : `Save the messages of ${panel.name} as a new JKit`;
}

export function updateText(panel: Panel): string {
  return isChip(panel)
    ? `It is replaced by the description of ${panel.name}.`
    : `Its messages are replaced by the ${counted(panel.pinnedMessages.length, 'message')} in ${panel.name}.`;
}

export function deletedText(panel: Panel): string {
  const kept = isChip(panel) ? 'The description in the editor stays.' : 'Panels keep their messages.';
  return `This cannot be undone: its stars and ratings are deleted too. ${kept}`;
}

/** Text about the content that loading a JKit replaces. */
export function replacedText(panel: Panel): string {
  const { name, pinnedMessages } = panel;
  if (isChip(panel)) {
    return `The description of ${name} is replaced. You can undo that.`;
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
