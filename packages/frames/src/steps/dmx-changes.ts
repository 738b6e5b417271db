/**
 * Step `dmx-changes`: slots of the message "received DMX change of state" of a USB Pro adapter (Enttec, DMX USB Pro
 * Widget API 1.44, label 9): number of the first byte divided by 8, 40 bits for the bytes that changed, and their new
 * values. The start code counts as byte 0.
 */
import type { Step } from './step-types.ts';

const CHANGED = 9;
/** Offsets in the frame: start byte, label and two bytes of length come first. */
const LABEL = 1;
const FIRST = 4;
const BITS = 5;
const VALUES = 10;

export const dmxChanges: Step = {
  prepare: () => ({
    decode({ content, fields, wireOffset }) {
      if (content[LABEL] !== CHANGED || content.length < VALUES + 1) {
        return;
      }
      let at = VALUES;
      for (let bit = 0; bit < 8 * (VALUES - BITS) && at < content.length - 1; bit++) {
        if (((content[BITS + (bit >> 3)] as number) & (1 << (bit & 7))) !== 0) {
          const slot = (content[FIRST] as number) * 8 + bit;
          fields.push({
            name: `slot.${slot}`,
            value: content[at] as number,
            from: wireOffset(at),
            to: wireOffset(at) + 1,
            place: slot === 0 ? 'start code' : `slot ${slot}`,
          });
          at++;
        }
      }
    },
  }),
};
