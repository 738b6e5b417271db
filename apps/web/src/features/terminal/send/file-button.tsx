import type { PortNumber } from '@wirebench/serial';
import { FileUp } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import { blockedText, type SendState } from '../open-ports-of.ts';
import { chooseFile, useChosenFile } from './file-sending.ts';
import styles from './send-bar.module.css';

export interface FileButtonProps {
  /** Port that receives the file. */
  readonly port: PortNumber;
  readonly state: SendState;
}

export function FileButton({ port, state }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const busy = useChosenFile() !== null;
  const connected = state === 'connected';
  const closed = blockedText(port, state) ?? `Port ${port} is not connected`;
  const reason = connected ? 'A file is already selected' : closed;
  const button = (anchor: { 'aria-describedby'?: string }) => (
    <Button
      {...anchor}
      variant="quiet"
      size="sm"
      icon={<FileUp />}
      aria-label="Send a file…"
      aria-disabled={connected && !busy ? undefined : true}
      onClick={() => input.current?.click()}
    >
      <span className={styles['word']}>File…</span>
    </Button>
  );
  return (
    <>
      {connected && !busy ? button({}) : <Tooltip text={reason}>{button}</Tooltip>}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File to send to port ${port}`}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) {
            chooseFile(port, file);
          }
          // Reset, so that choosing the same file again fires a change event.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
