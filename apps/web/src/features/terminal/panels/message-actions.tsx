import { ArrowDown, ArrowRight, ArrowUp, Copy, FileUp, Pencil, Repeat } from 'lucide-react';
import type { MenuAction, MenuProps } from '../../../shared/ui/menu.tsx';
import type { DevicePanel } from './model/device-panel.ts';
import type { Panels } from './model/panels.ts';
import type { PinnedMessage } from './model/pinned-message.ts';
import { chooseRunFile } from './run/run-files.ts';
import { sendToPanel, stepMessage } from './store/panel-actions.ts';
import { otherOwnerOf } from './store/panel-owner.ts';
import { openForm, setRefusal } from './store/panels-session.ts';

/**
 * Returns the menu items of a message.
 *
 * @param readOnly True: the panel holds another publisher's JKit.
 */
export function messageActions(
  panel: DevicePanel,
  message: PinnedMessage,
  panels: Panels,
  readOnly: boolean,
): MenuProps['items'] {
  const { id: messageId } = message;
  const index = panel.pinnedMessages.indexOf(message);
  const others = panels.filter(({ id }) => id !== panel.id && otherOwnerOf(id) === null);
  const transfer = (to: DevicePanel, kind: 'move' | 'copy'): MenuAction => ({
    label: `${kind === 'move' ? 'Move' : 'Copy'} to ${nameAmong(to, others)}`,
    icon: kind === 'move' ? <ArrowRight /> : <Copy />,
    onSelect: () => setRefusal(panel.id, sendToPanel({ from: panel.id, messageId, to: to.id, kind })),
  });
  // A repetition would send the message without its file, and show a hidden one in the log.
  const use: readonly MenuAction[] =
    message.file !== null
      ? [{ label: 'Choose the file…', icon: <FileUp />, onSelect: () => void chooseRunFile(messageId) }]
      : message.hidden
        ? []
        : [
            {
              label: 'Repeat…',
              icon: <Repeat />,
              onSelect: () => openForm({ messageId, kind: 'repeat' }),
              movesFocus: true,
            },
          ];
  const copies = others.map((other) => transfer(other, 'copy'));
  if (readOnly) {
    return [...use, ...(copies.length === 0 ? [] : ['separator' as const, ...copies])];
  }
  return [
    { label: 'Edit', icon: <Pencil />, onSelect: () => openForm({ messageId, kind: 'edit' }), movesFocus: true },
    ...use,
    'separator',
    {
      label: 'Move up',
      icon: <ArrowUp />,
      shortcut: 'Alt+↑',
      disabled: index === 0,
      onSelect: () => stepMessage(panel.id, messageId, -1),
    },
    {
      label: 'Move down',
      icon: <ArrowDown />,
      shortcut: 'Alt+↓',
      disabled: index === panel.pinnedMessages.length - 1,
      onSelect: () => stepMessage(panel.id, messageId, 1),
    },
    ...(others.length === 0 ? [] : ['separator' as const]),
    ...others.map((other) => transfer(other, 'move')),
    ...copies,
  ];
}

/** Returns the panel's name. A number is added if other panels have the same name. */
function nameAmong(panel: DevicePanel, others: Panels): string {
  const namesakes = others.filter(({ name }) => name === panel.name);
  return namesakes.length === 1 ? panel.name : `${panel.name} (${namesakes.indexOf(panel) + 1})`;
}
