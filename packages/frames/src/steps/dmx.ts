/**
 * Step `dmx`, for adapters with the USB Pro protocol (Enttec, DMX USB Pro Widget API 1.44). Slots of a frame with another
 * start code than 0 are data, no dimmer values (ANSI E1.11, section 8.5): `data.1`. The message "received DMX change of
 * state" (label 9) has the number of the first byte divided by 8, 40 bits for the bytes that changed, and their values.
 * The start code counts as byte 0.
 */
import { template, valueText } from '../frame-text.ts';
import type { FrameDraft, Step } from './step-types.ts';

const CHANGED = 9;
/** Offsets in the frame: start byte, label and two bytes of length come first. */
const LABEL = 1;
const FIRST = 4;
const BITS = 5;
const VALUES = 10;

/** Line of the message "received DMX packet" (label 5). */
const receivedLine = template('received, start code {start_code}: {slot.*}');

/** Values that a line shows. */
const MAX_SHOWN = 12;

export const dmx: Step = {
  prepare: () => ({
    decode(draft) {
      if (draft.content[LABEL] === CHANGED && draft.content.length > VALUES) {
        addChanges(draft);
      }
      const startCode = draft.rawOf('start_code');
      if (startCode !== undefined && startCode !== 0) {
        renameSlots(draft, startCode);
      }
      const status = draft.fields.find(({ name }) => name === 'status');
      if (status !== undefined && status.value !== 0) {
        const { fields, sentence } = draft;
        draft.sentence = `${sentence === '' ? receivedLine(fields) : sentence}, ${valueText(status)}`;
      }
    },
  }),
};

function addChanges({ content, fields, wireOffset }: FrameDraft): void {
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
}

function renameSlots(draft: FrameDraft, startCode: number | bigint | string): void {
  const shown: string[] = [];
  for (const [index, field] of draft.fields.entries()) {
    if (field.name.startsWith('slot.')) {
      draft.fields[index] = { ...field, name: field.name.replace('slot', 'data') };
      shown.push(valueText(field));
    }
  }
  const more = shown.length > MAX_SHOWN ? `, ${shown.length - MAX_SHOWN} more` : '';
  draft.sentence = `${draft.message}, start code ${startCode}: ${shown.slice(0, MAX_SHOWN).join(', ')}${more}`;
}
