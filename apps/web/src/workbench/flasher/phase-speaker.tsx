import { pageFamily, useFlash, useFlasher } from './store/flasher-store.ts';
import { useReceipts } from './store/receipt-actions.ts';
import { phaseText } from './write/phase-text.ts';

/** Tells a screen reader each phase once. Failures are alerts of their own, and a bar speaks for itself. */
export function PhaseSpeaker() {
  const port = useFlasher(({ selected }) => selected);
  const baudRate = useFlasher(({ settings }) => settings.monitorBaudRate);
  const application = useReceipts(({ byPort }) => byPort[port]?.application ?? null);
  const { words } = pageFamily();
  const text = useFlash((flash) =>
    phaseText(flash, { application, baudRate, words, demo: flash.board?.demo ?? false }),
  );
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
}
