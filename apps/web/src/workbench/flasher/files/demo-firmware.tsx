/** For a demo board and somebody without a file: firmware that this board runs. */
import { FlaskConical } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { isReady } from '../state/flash-state.ts';
import { addFiles } from '../store/file-actions.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';

/** Shown while a demo board waits and there is nothing to write. */
export function DemoFirmware() {
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const empty = useFlasher(({ chosen }) => chosen.files.length === 0);
  if (board === null || !board.demo || !isReady({ phase }) || !empty) {
    return null;
  }
  const take = async () => {
    const { name, bytes } = await pageFamily().demoFirmware(board);
    await addFiles([{ name, content: new Blob([bytes]) }]);
  };
  return (
    <Button size="sm" icon={<FlaskConical />} onClick={() => void take()}>
      Use demo firmware
    </Button>
  );
}
