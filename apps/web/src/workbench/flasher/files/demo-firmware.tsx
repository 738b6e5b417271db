/** For a demo board and somebody without a file: firmware that this board runs. */
import { FlaskConical } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { isReady } from '../state/flash-state.ts';
import { addFiles } from '../store/file-actions.ts';
import { useFlash, useFlasher } from '../store/flasher-store.ts';

export interface DemoFirmwareProps {
  /** For the board that is looked at. */
  readonly load: () => Promise<{ readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }>;
}

/** Shown while a demo board waits and there is nothing to write. */
export function DemoFirmware({ load }: DemoFirmwareProps) {
  const phase = useFlash((flash) => flash.phase);
  const isDemo = useFlash(({ board }) => board?.demo ?? false);
  const empty = useFlasher(({ chosen }) => chosen.files.length === 0);
  if (!isDemo || !isReady({ phase }) || !empty) {
    return null;
  }
  const take = async () => {
    const { name, bytes } = await load();
    await addFiles([{ name, content: new Blob([bytes]) }]);
  };
  return (
    <Button icon={<FlaskConical />} onClick={() => void take()}>
      Use demo firmware
    </Button>
  );
}
