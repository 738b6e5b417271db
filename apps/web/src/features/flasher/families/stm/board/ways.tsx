/** Ways to an STM32 once a connection has failed: other wiring of its reset, and by hand. */
import { hasSerialPorts } from '../../../../../hardware/serial-support.ts';
import { useFlasher } from '../../../store/flasher-store.ts';
import { BootPins } from './boot-pins.tsx';
import { EntryField } from './entry-field.tsx';

export function StmWays() {
  const byHand = useFlasher(({ settings: { own } }) => own.family === 'stm' && own.entry === 'manual');
  const failed = useFlasher(({ connectFailed }) => connectFailed);
  return !hasSerialPorts() || !(failed || byHand) ? null : (
    <div className="stack apart">
      {failed ? <EntryField /> : null}
      {byHand ? <BootPins /> : null}
    </div>
  );
}
