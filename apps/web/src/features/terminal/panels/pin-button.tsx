import { Pin } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import type { Message } from '../send/send-message.ts';
import { draftToPin } from './model/draft-to-pin.ts';
import { addDevicePanel, pinMessage } from './store/panel-actions.ts';
import { otherOwnerOf } from './store/panel-owner.ts';
import { panelsNow, usePanels } from './store/panels-store.ts';

export interface PinButtonProps {
  /** Current content of the send field. */
  readonly draft: Message;
  /** Receives the reason for a refusal, or null after success. */
  readonly onRefused: (reason: string | null) => void;
}

/** Pins the content of the send field: to the only panel, to a chosen one, or to a new one. */
export function PinButton({ draft, onRefused }: PinButtonProps) {
  // Panels with another publisher's JKit accept no messages.
  const panels = usePanels((all) => all).filter(({ id }) => otherOwnerOf(id) === null);
  const pin = (panelId: string | undefined) => {
    const chosen = draftToPin(draft);
    if (!chosen.ok) {
      onRefused(chosen.reason);
      return;
    }
    const refusedPanel = panelId === undefined ? addDevicePanel() : null;
    if (refusedPanel !== null) {
      onRefused(refusedPanel);
      return;
    }
    const all = panelsNow().panels;
    const panel = panelId === undefined ? all.at(-1) : all.find(({ id }) => id === panelId);
    const refused = pinMessage(panel?.id ?? '', chosen.text);
    onRefused(refused);
    if (refused === null) {
      toast(`Pinned to ${panel?.name}`);
    }
  };
  if (panels.length < 2) {
    return (
      <Button
        variant="quiet"
        size="sm"
        icon={<Pin />}
        aria-label="Pin"
        title="Pin to a panel"
        onClick={() => pin(panels[0]?.id)}
      />
    );
  }
  return (
    <Menu
      items={panels.map(({ id, name }, index) => ({
        label: `${index + 1}: ${name}`,
        icon: <Pin />,
        onSelect: () => pin(id),
      }))}
      trigger={(props) => (
        <Button {...props} variant="quiet" size="sm" icon={<Pin />} aria-label="Pin" title="Pin to a panel" />
      )}
    />
  );
}
