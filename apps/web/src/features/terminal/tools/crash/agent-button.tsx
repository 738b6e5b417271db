import { Copy } from 'lucide-react';
import { Button } from '../../../../shared/ui/button.tsx';

export interface AgentButtonProps {
  /** Returns the crash as text. */
  readonly text: () => string;
}

/** Copies a crash with the end of the log for a coding assistant. Its code is loaded when it is used. */
export function AgentButton({ text }: AgentButtonProps) {
  const copy = async () => (await import('../../agent-copy.ts')).copyForAgent(text());
  return (
    <Button size="sm" variant="quiet" icon={<Copy />} onClick={() => void copy()}>
      Copy for an agent
    </Button>
  );
}
