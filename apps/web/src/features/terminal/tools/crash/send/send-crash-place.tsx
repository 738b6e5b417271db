/** Where the dialog stands in which a crash is sent, outside of what a narrower window makes anew. Its code is fetched when it is asked for. */
import { useEffect } from 'react';
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import { closeSendCrash, useSendCrashRequest } from './send-crash-request.ts';

const loadDialog = () => import('./send-crash-dialog.tsx');

export function SendCrashPlace() {
  const { crash, open } = useSendCrashRequest();
  const dialog = useLoaded(open, loadDialog, closeSendCrash);
  // Whoever comes back to the terminal did not leave for the dialog.
  useEffect(() => closeSendCrash, []);
  return dialog === null || crash === null ? null : (
    <dialog.SendCrashDialog {...crash} open={open} onClose={closeSendCrash} />
  );
}
