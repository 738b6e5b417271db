import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import type { DevicePanel } from './model/device-panel.ts';
import { removeDevicePanel } from './store/panel-actions.ts';

export interface RemovePanelDialogProps {
  /** Null while it is closed. */
  readonly panel: DevicePanel | null;
  readonly onClose: () => void;
}

/** Asked only when there is something to lose. */
export function RemovePanelDialog({ panel, onClose }: RemovePanelDialogProps) {
  const count = panel?.pinnedMessages.length ?? 0;
  return (
    <Dialog
      open={panel !== null}
      onClose={onClose}
      size="sm"
      title={`Remove ${panel?.name ?? 'the panel'}?`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger-fill"
            onClick={() => {
              onClose();
              if (panel !== null) {
                removeDevicePanel(panel.id);
              }
            }}
          >
            Remove
          </Button>
        </>
      }
    >
      <p>
        {count === 1 ? 'Its pinned message is deleted with it.' : `Its ${count} pinned messages are deleted with it.`}
      </p>
    </Dialog>
  );
}
