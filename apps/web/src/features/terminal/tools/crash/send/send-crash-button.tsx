/** Opens the dialog in which a crash is sent to whoever published the firmware. Its code is fetched then. */
import { Send } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../../shared/ui/button.tsx';
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import type { SendCrashProps } from './send-crash-dialog.tsx';

const loadDialog = () => import('./send-crash-dialog.tsx');

export function SendCrashButton(props: SendCrashProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const dialog = useLoaded(open, loadDialog, close);
  return (
    <div>
      <Button size="sm" icon={<Send />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Send to the publisher
      </Button>
      {dialog === null ? null : <dialog.SendCrashDialog {...props} open={open} onClose={close} />}
    </div>
  );
}
