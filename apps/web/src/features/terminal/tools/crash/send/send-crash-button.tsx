/** Opens the dialog in which a crash is sent to whoever published the firmware. */
import { Send } from 'lucide-react';
import { Button } from '../../../../../shared/ui/button.tsx';
import type { SendCrashProps } from './send-crash-dialog.tsx';
import { askToSendCrash } from './send-crash-request.ts';

export function SendCrashButton(crash: SendCrashProps) {
  return (
    <div>
      <Button
        // By it the focus finds it again in another layout.
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
