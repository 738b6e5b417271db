import { Send } from 'lucide-react';
import { hasServer } from '../../../../../shared/edition.ts';
import type { MenuAction } from '../../../../../shared/ui/menu.tsx';
import type { SendCrashProps } from './send-crash-dialog.tsx';
import { askToSendCrash } from './send-crash-request.ts';

/** Returns the action that opens the dialog for sending a crash to the firmware's publisher. None without a server. */
export const sendCrashActions = (crash: SendCrashProps): readonly MenuAction[] =>
  hasServer ? [{ label: 'Send to the publisher', icon: <Send />, onSelect: () => askToSendCrash(crash) }] : [];
