/** Ways to a board besides the port of its program: over USB in BOOTSEL, and how a person starts BOOTSEL. */
import { Usb } from 'lucide-react';
import { hasWebUsb } from '../../../../../hardware/serial-support.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { connectPickedUsb } from '../../../store/flash-actions.ts';
import { pageFamily, useFlasher } from '../../../store/flasher-store.ts';
import { BootselDrawing } from './bootsel-drawing.tsx';
import styles from './ways.module.css';

export function RpWays() {
  const port = useFlasher(({ selected }) => selected);
  const failed = useFlasher(({ connectFailed }) => connectFailed);
  const { usbDevices, pickDrive } = pageFamily();
  const byUsb = hasWebUsb() && usbDevices !== undefined;
  return (
    <div className="stack apart">
      {failed ? <BootselDrawing /> : null}
      {byUsb ? (
        <div className={styles['way']}>
          <div className="buttons">
            <Button icon={<Usb />} onClick={() => void connectPickedUsb(port, usbDevices)}>
              Choose USB device
            </Button>
          </div>
          <p className="small">
            For a board in BOOTSEL: hold its button while you plug it in, then pick “RP2 Boot” or “RP2350 Boot”.
            {pickDrive === undefined
              ? null
              : ' Among the other ways to connect is the drive RPI-RP2 or RP2350, for systems without a driver, as Windows for an RP2040: nothing can be read back there.'}
          </p>
        </div>
      ) : (
        <p className="small">The boot ROM needs a browser with WebUSB, such as Chrome or Edge.</p>
      )}
    </div>
  );
}
