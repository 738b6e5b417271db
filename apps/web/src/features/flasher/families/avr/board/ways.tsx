/** Ways to a board with an AVR besides the automatic reset, and the boards that no bootloader on a port reaches. */
import { hasSerialPorts } from '../../../../../hardware/serial-support.ts';
import { useFlasher } from '../../../store/flasher-store.ts';
import { ResetDrawing } from './reset-drawing.tsx';
import { ResetField } from './reset-field.tsx';

export function AvrWays() {
  const byHand = useFlasher(({ settings: { own } }) => own.family === 'avr' && own.reset === 'hand');
  const failed = useFlasher(({ connectFailed }) => connectFailed);
  return (
    <div className="stack apart">
      {failed && hasSerialPorts() ? <ResetField /> : null}
      {failed || byHand ? (
        <p className="small">
          {byHand ? 'The page says when to press reset.' : 'Automatic: by DTR, or by a touch at 1200 baud.'}
        </p>
      ) : null}
      {byHand && hasSerialPorts() ? <ResetDrawing /> : null}
      <p className="small">
        Leonardo, Micro and Pro Micro: the bootloader is another device for the browser, which asks once for each. Nano
        Every: not supported, because it is programmed through UPDI and not through a bootloader.
      </p>
    </div>
  );
}
