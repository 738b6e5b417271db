import { Copy } from 'lucide-react';
import type { MenuAction } from '../../../../shared/ui/menu.tsx';

/**
 * Copies a crash with the end of the log for a coding assistant. Its code is loaded when it is used.
 *
 * @param text Returns the crash as text.
 */
export const agentAction = (text: () => string): MenuAction => ({
  label: 'Copy for an agent',
  icon: <Copy />,
  onSelect: () => void copy(text),
});

async function copy(text: () => string): Promise<void> {
  (await import('../../agent-copy.ts')).copyForAgent(text());
}
