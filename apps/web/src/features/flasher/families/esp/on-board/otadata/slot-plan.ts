/** Plans that another app starts, and says why none would start from a slot. */
import { chipFacts, chooseOtaSlot, otaSlotOf, type Partition } from '@wirebench/flasher/espressif';
import { imageFaultText } from '@wirebench/flasher/images';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import type { PlannedChange } from '../../../../store/board-changes.ts';
import type { StoredImage } from '../stored-images.ts';

const SECTOR = 4_096;

/** The chosen slot: an OTA slot, counted from 0, or the factory app. */
export interface OtaDraft {
  readonly slot: number | 'factory';
}

export interface SlotChoice {
  /** Partition with the OTA data. */
  readonly partition: Partition;
  readonly contents: Uint8Array;
  readonly md5: string;
  /** App partition to start, and its app for the title. */
  readonly slot: Partition;
  readonly app: string | null;
  /** Number of OTA slots of the table. */
  readonly slots: number;
  /** Name of the partition that starts now. */
  readonly before: string;
}

/** Returns the change after which the bootloader starts the slot. */
export function planSlot({ partition, contents, md5, slot, app, slots, before }: SlotChoice): PlannedChange<OtaDraft> {
  const { name, offset, size } = partition;
  const number = otaSlotOf(slot);
  const common = {
    what: 'the slot to start',
    title: `Start ${slot.name}${app === null ? '' : `: ${app}`}`,
    count: 1,
    note: 'All programs stay on the board',
  };
  const range = { offset, length: size };
  if (number === null) {
    // The entry that counts is erased last, so that a power cut leaves the choice from before.
    const first = chooseOtaSlot(contents, 0, slots).sector.offset;
    const order = [first, first === 0 ? SECTOR : 0];
    return {
      ...common,
      change: {
        name,
        range,
        basis: md5,
        erases: order.map((at) => ({ offset: offset + at, length: SECTOR })),
        writes: [],
      },
      entries: [`starts ${before} → ${slot.name}`],
      draft: { slot: 'factory' },
    };
  }
  const choice = chooseOtaSlot(contents, number, slots);
  return {
    ...common,
    change: {
      name,
      range,
      basis: md5,
      erases: [],
      writes: [{ offset: offset + choice.sector.offset, bytes: choice.sector.bytes }],
    },
    entries: [`starts ${before} → ${slot.name}`, `sequence ${choice.before ?? 'none'} → ${choice.sequence}`],
    draft: { slot: number },
  };
}

/** Returns the reason why no app would start from a slot; null if its image is intact. */
export function slotFault(check: StoredImage, { name }: Partition, { info }: EspFacts): string | null {
  if (check === 'none') {
    return `${name} holds no app.`;
  }
  const [fault] = check.faults;
  if (fault !== undefined) {
    return `The app in ${name} would not start. ${imageFaultText[fault].what}`;
  }
  const { chip } = check.image;
  if (chip !== info.chip) {
    return `The app in ${name} was built for ${chip === null ? 'another chip' : chipFacts[chip].label}.`;
  }
  return null;
}
