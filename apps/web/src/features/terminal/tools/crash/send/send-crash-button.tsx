/** Button that opens the dialog for sending a crash to the firmware's publisher. */

import { Send } from 'lucide-react';
import { hasServer } from '../../../../../shared/edition.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import type { SendCrashProps } from './send-crash-dialog.tsx';
import { askToSendCrash } from './send-crash-request.ts';

export function SendCrashButton(crash: SendCrashProps) {
  return !hasServer ? null : (
    <div>
      <Button
        // The focus keeper finds the button by this id after a layout change.
        id="send-crash"
        size="sm"
        icon={<Send />}
        aria-haspopup="dialog"
        onClick={() => askToSendCrash(crash)}
      >
        Send to the publisher
      </Button>
    </div>
  );
}
