/** For people with a demo board and no file: all that this board needs to start. */
import { FlaskConical } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { isReady } from '../state/flash-state.ts';
import { addFiles } from '../store/file-actions.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';

/** Shown while a demo board waits and no files are chosen. */
export function DemoFirmware() {
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const empty = useFlasher(({ chosen }) => chosen.files.length === 0);
  if (board === null || !board.demo || !isReady({ phase }) || !empty) {
    return null;
  }
  const take = async () => {
    const files = await pageFamily().demoFirmware(board);
    await addFiles(files.map(({ bytes, ...file }) => ({ ...file, content: new Blob([bytes]) })));
  };
  return (
    <Button size="sm" icon={<FlaskConical />} onClick={() => void take()}>
      Use demo firmware
    </Button>
  );
}
