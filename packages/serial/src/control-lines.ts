/** DTR, RTS and break of an open port. */
import type { PortStatus } from './bench-status.ts';

/** Control lines to change; what is left out stays as it is. */
export interface SignalChange {
  readonly dtr?: boolean;
  readonly rts?: boolean;
  readonly break?: boolean;
}

export type ControlLines = PortStatus['signals'];

/** Of a closed port. */
export const linesOff: ControlLines = { dtr: false, rts: false };
/** At connect (specification, section 4). */
export const linesAtConnect: ControlLines = { dtr: true, rts: false };

/**
 * Sets what is to change in one call: one line after the other is what resets boards with an auto-reset circuit.
 * Rejects with what the port says.
 */
export async function setControlLines(device: SerialPort, change: SignalChange): Promise<void> {
  const signals: SerialOutputSignals = {
    ...(change.dtr !== undefined && { dataTerminalReady: change.dtr }),
    ...(change.rts !== undefined && { requestToSend: change.rts }),
    ...(change.break !== undefined && { break: change.break }),
  };
  // An empty dictionary is refused by the browser.
  if (Object.keys(signals).length > 0) {
    await device.setSignals(signals);
  }
}
