/** Line below the strip: reports that the connected board holds a crash, and offers to read it. */
import { FileWarning, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../../shared/ui/icon-button.tsx';
import { SayLine } from '../../../say-line.tsx';
import { holdsContents, isReady } from '../../../state/flash-state.ts';
import { readCrash } from '../../../store/contents-actions.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';

export function CrashStrip() {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const [closed, setClosed] = useState<object | null>(null);
  const crash = board?.family === 'esp' && holdsContents({ phase }) ? board.crash : null;
  return crash === null || closed === crash ? null : (
    <SayLine
      tone="bad"
      icon={<FileWarning />}
      actions={
        <>
          <Button size="sm" disabled={!isReady({ phase })} onClick={() => void readCrash(port, crash.name, crash)}>
            Read the crash
          </Button>
          <IconButton label="Close this line" size="sm" variant="quiet" icon={<X />} onClick={() => setClosed(crash)} />
        </>
      }
    >
      <b>This board holds a crash.</b> Its partition “{crash.name}” begins like a core dump.
    </SayLine>
  );
}
