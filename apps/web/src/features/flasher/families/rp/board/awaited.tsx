/** Says what a person has to do while a board is being brought into BOOTSEL. */
import { Usb } from 'lucide-react';
import { hasWebUsb } from '../../../../../hardware/serial-support.ts';
import { requestUsb } from '../../../../../hardware/web-usb.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { Notice } from '../../../../../shared/ui/notice.tsx';
import { pageFamily, useFlash } from '../../../store/flasher-store.ts';
import findings from '../../../write/finding-list.module.css';
import styles from './awaited.module.css';
import { BootselDrawing } from './bootsel-drawing.tsx';

export function RpAwaited() {
  const asks = useFlash(({ step }) => step === 'press-bootsel');
  const isDemo = useFlash(({ source }) => source?.kind === 'demo');
  const { usbDevices } = pageFamily();
  if (!asks) {
    return null;
  }
  // The worker sees in the browser's list what the person allows, and goes on.
  const allow = () => void (usbDevices && requestUsb(usbDevices).catch(() => undefined));
  return (
    <div className={`stack ${findings['list']}`} role="status">
      <Notice
        level="info"
        title="Hold BOOTSEL while you plug the board in, or while you press its reset button."
        action={
          hasWebUsb() && !isDemo ? (
            <Button size="sm" icon={<Usb />} onClick={allow}>
              Allow its USB device
            </Button>
          ) : undefined
        }
      >
        A board that is in BOOTSEL already is another device for the browser, which asks once for it.
      </Notice>
      <div className={styles['drawing']}>
        <BootselDrawing />
      </div>
    </div>
  );
}
