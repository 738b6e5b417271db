/**
 * Keys that go to the board as one byte, without an ending and without a place in the history: in the empty message field, and
 * in *How to send*. Bytes: ECMA-48, 5.2 (C0); Ctrl takes bits 6 and 7 of the letter away (VT100 User Guide, table 3-5).
 */
import type { PortNumber } from '@wirebench/serial';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { portName, terminalSettingsNow } from '../settings/settings-store.ts';
import { stopSending } from './stop-sending.ts';

export const controlKeys = [
  { name: 'Ctrl+C', byte: 0x03 },
  { name: 'Ctrl+D', byte: 0x04 },
  { name: 'Ctrl+Z', byte: 0x1a },
  { name: 'Esc', byte: 0x1b },
  { name: 'Tab', byte: 0x09 },
] as const;

type ControlKey = (typeof controlKeys)[number];

/** Key in the browser's storage. Present: the person has read that these keys go to the board. */
const notedKey = 'wirebench.control-keys-noted';

/** Sends a key. What is on its way to the board stops first, as in the Screen. */
export function sendControlKey(port: PortNumber, { byte }: ControlKey): void {
  stopSending(port);
  void reportingFailure(port, getBench().call('send', port, Uint8Array.of(byte)));
}

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * Returns the key that a press in an empty message field sends: Ctrl+C and Ctrl+D. Null for another press, and for Ctrl+C
 * while text is selected anywhere on the page, because it copies then.
 */
export function controlKeyOf({ key, ctrlKey, altKey, metaKey, shiftKey }: Pressed): ControlKey | null {
  const letter = key.toUpperCase();
  if (!ctrlKey || altKey || metaKey || shiftKey || !(letter === 'C' || letter === 'D')) {
    return null;
  }
  const hasSelection = document.getSelection()?.toString() !== '';
  return letter === 'C' && hasSelection ? null : (controlKeys.find(({ name }) => name === `Ctrl+${letter}`) ?? null);
}

/** Says the first time that a key went to the board. */
export function noteControlKey(port: PortNumber, { name }: ControlKey): void {
  if (browserStorage.getItem(notedKey) === null) {
    browserStorage.setItem(notedKey, 'yes');
    toast(`${name} went to ${portName(terminalSettingsNow(), port)}. With text selected, Ctrl+C copies.`, {
      level: 'info',
    });
  }
}
