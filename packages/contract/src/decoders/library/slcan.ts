/**
 * CAN frames as serial adapters give them (LAWICEL, CANUSB Manual 1.0, 2004), with the CAN FD letters of the CANable
 * firmware. Names of signals come from a DBC file of one's own, in `files`.
 */
import type { DecoderDraft } from '../decoder-content.ts';

export const slcan: DecoderDraft = {
  name: 'slcan',
  title: 'CAN (SLCAN)',
  source: 'LAWICEL, CANUSB Manual; CAN FD: CANable firmware; signals: Vector, DBC File Format',
  // The longest line has 64 bytes of CAN FD data.
  framing: { kind: 'step', longest: 144 },
  steps: ['slcan'],
};
