/** Ways to a board besides the port of its program: over USB in BOOTSEL, its drive, and how a person starts BOOTSEL. */
import { HardDrive, Usb } from 'lucide-react';
import { canPickDrive, pickDrive } from '../../../../../hardware/drive-picker.ts';
import { hasWebUsb } from '../../../../../hardware/serial-support.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { connectPickedDrive, connectPickedUsb } from '../../../store/flash-actions.ts';
import { pageFamily, useFlasher } from '../../../store/flasher-store.ts';
import { BootselDrawing } from './bootsel-drawing.tsx';
import styles from './ways.module.css';

export function RpWays() {
  const port = useFlasher(({ selected }) => selected);
  const failed = useFlasher(({ connectFailed }) => connectFailed);
  const { usbDevices } = pageFamily();
  const byUsb = hasWebUsb() && usbDevices !== undefined;
  return (
    <div className="stack apart">
      {failed ? <BootselDrawing /> : null}
      {byUsb || canPickDrive() ? (
        <div className={styles['way']}>
          <div className="buttons">
            {byUsb ? (
              <Button icon={<Usb />} onClick={() => void connectPickedUsb(port, usbDevices)}>
                Choose USB device
              </Button>
            ) : null}
            {canPickDrive() ? (
              <Button icon={<HardDrive />} onClick={() => void connectPickedDrive(port, pickDrive)}>
                Choose its drive
              </Button>
            ) : null}
          </div>
          <p className="small">
            For a board in BOOTSEL: hold its button while you plug it in, then pick “RP2 Boot” or “RP2350 Boot”. The
            drive RPI-RP2 or RP2350 is the way where the system has no driver, as Windows for an RP2040: nothing can be
            read back there.
          </p>
        </div>
      ) : (
        <p className="small">The boot ROM needs a browser with WebUSB, such as Chrome or Edge.</p>
      )}
    </div>
  );
}
