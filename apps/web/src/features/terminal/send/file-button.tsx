import type { PortNumber } from '@wirebench/serial';
import { FileDown, FileUp } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { blockedText, type SendState } from '../open-ports-of.ts';
import { chooseFile, useChosenFile } from './file-sending.ts';
import styles from './send-bar.module.css';
import { chooseReceive } from './transfer/transfers.ts';

export interface FileButtonProps {
  /** Port that receives the file. */
  readonly port: PortNumber;
  readonly state: SendState;
}

export function FileButton({ port, state }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const busy = useChosenFile() !== null;
  const canReceive = useBenchStatus(
    ({ devices, transfers }) => devices[port]?.kind !== 'remote' && transfers[port] === null,
  );
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
      {connected && canReceive && (
        <Button
          variant="quiet"
          size="sm"
          icon={<FileDown />}
          aria-label="Receive a file…"
          onClick={() => chooseReceive(port)}
        >
          <span className={styles['word']}>Receive…</span>
        </Button>
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={`File to send to port ${port}`}
        onChange={(event) => {
          const [file, ...more] = event.currentTarget.files ?? [];
          if (file !== undefined) {
            chooseFile(port, file, more);
          }
          // Reset, so that choosing the same file again fires a change event.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
