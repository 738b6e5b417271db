import { ArrowDown, ArrowRight, ArrowUp, Copy, Pencil, Repeat } from 'lucide-react';
import type { MenuAction, MenuProps } from '../../../shared/ui/menu.tsx';
import type { DevicePanel } from './model/device-panel.ts';
import type { Panels } from './model/panels.ts';
import type { PinnedMessage } from './model/pinned-message.ts';
import { sendToPanel, stepMessage } from './store/panel-actions.ts';
import { openForm, setRefusal } from './store/panels-session.ts';

/** What the menu of a message offers. */
export function messageActions(panel: DevicePanel, message: PinnedMessage, panels: Panels): MenuProps['items'] {
  const { id: messageId } = message;
  const index = panel.pinnedMessages.indexOf(message);
  const others = panels.filter(({ id }) => id !== panel.id);
  const transfer = (to: DevicePanel, kind: 'move' | 'copy'): MenuAction => ({
    label: `${kind === 'move' ? 'Move' : 'Copy'} to ${nameAmong(to, others)}`,
    icon: kind === 'move' ? <ArrowRight /> : <Copy />,
    onSelect: () => setRefusal(panel.id, sendToPanel({ from: panel.id, messageId, to: to.id, kind })),
  });
  return [
    { label: 'Edit', icon: <Pencil />, onSelect: () => openForm({ messageId, kind: 'edit' }), movesFocus: true },
    { label: 'Repeat…', icon: <Repeat />, onSelect: () => openForm({ messageId, kind: 'repeat' }), movesFocus: true },
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
    ...others.map((other) => transfer(other, 'copy')),
  ];
}

/** Two panels may have the same name: then their place among the others tells them apart. */
function nameAmong(panel: DevicePanel, others: Panels): string {
  const namesakes = others.filter(({ name }) => name === panel.name);
  return namesakes.length === 1 ? panel.name : `${panel.name} (${namesakes.indexOf(panel) + 1})`;
}
