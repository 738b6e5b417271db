/**
 * Mounts the dialog for sending a crash outside the panels, which are remounted if the window gets narrower. Its code
 * is loaded on demand.
 */
import { useEffect } from 'react';
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import { closeSendCrash, useSendCrashRequest } from './send-crash-request.ts';

const loadDialog = () => import('./send-crash-dialog.tsx');

export function SendCrashPlace() {
  const { crash, open } = useSendCrashRequest();
  const dialog = useLoaded(open, loadDialog, closeSendCrash);
  // Closes the dialog if the user leaves the terminal, so that it is not open on return.
  useEffect(() => closeSendCrash, []);
  return dialog === null || crash === null ? null : (
    <dialog.SendCrashDialog {...crash} open={open} onClose={closeSendCrash} />
  );
}
