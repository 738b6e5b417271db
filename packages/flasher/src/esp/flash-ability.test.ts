import { describe, expect, it } from 'vitest';
import { type ChipName, chipNames } from './chips/chip-facts.ts';
import { loadChip } from './chips/load-chip.ts';
import type { EspLink } from './esp-info.ts';
import { type FlashAbility, flashAbility, type Speaker } from './flash-ability.ts';

interface Situation {
  readonly name: ChipName;
  readonly program: Speaker;
  readonly link: EspLink;
  readonly secureDownload: boolean;
}

const situations: readonly Situation[] = chipNames.flatMap((name) =>
  (['stub', 'rom'] as const).flatMap((program) =>
    (['uart', 'usb-serial-jtag', 'usb-otg'] as const).flatMap((link) =>
      [false, true].map((secureDownload) => ({ name, program, link, secureDownload })),
    ),
  ),
);

const isStub = ({ program }: Situation) => program === 'stub';
const isPlainRom = (situation: Situation) => !isStub(situation) && situation.name === 'esp8266';
const isOpen = ({ secureDownload }: Situation) => !secureDownload;

/** The condition of each ability in words of the program and the chip, independent of the chips' records. */
const conditions: { readonly [Name in keyof FlashAbility]: (situation: Situation) => FlashAbility[Name] } = {
  canAccessRegisters: isOpen,
  canLoadStub: isOpen,
  canChangeBaudRate: (one) => !isPlainRom(one) && (isOpen(one) || !['esp32c2', 'esp32c5'].includes(one.name)),
  canSetUpFlash: (one) => !isPlainRom(one),
  hasLongAttach: (one) => !isStub(one),
  needsFlashSize: (one) => !isStub(one),
  canHash: (one) => isOpen(one) && !isPlainRom(one),
  hashFormat: (one) => (isStub(one) ? 'bytes' : 'digits'),
  canReadFlash: (one) => isOpen(one) && !isPlainRom(one),
  readsSectors: isStub,
  canErase: (one) => isOpen(one) && isStub(one),
  canCompress: (one) => isStub(one) || (isOpen(one) && one.name === 'esp32c3'),
  blockSize: (one) => (isStub(one) ? (one.link === 'usb-otg' ? 2_048 : 16_384) : 1_024),
  hasLongBegin: (one) => isStub(one) || !['esp8266', 'esp32'].includes(one.name),
  writesInBackground: isStub,
  sparesNeighbours: isStub,
  hasEraseSizeBug: isPlainRom,
  canQueueRequests: isStub,
  refusesWith: (one) => (isOpen(one) ? 'not-in-rom' : 'secure-download'),
};

async function abilityIn({ name, ...situation }: Situation): Promise<FlashAbility> {
  return flashAbility({ ...situation, chip: await loadChip(name) });
}

describe('abilities on every chip, with the stub and without, open and in Secure Download Mode', () => {
  it.each(Object.keys(conditions) as (keyof FlashAbility)[])('decide %s as its condition says', async (ability) => {
    for (const situation of situations) {
      const { [ability]: actual } = await abilityIn(situation);
      expect(actual, JSON.stringify(situation)).toBe(conditions[ability](situation));
    }
  });

  it('are plain values', async () => {
    const [first] = situations;
    const ability = first && (await abilityIn(first));
    expect(structuredClone(ability)).toEqual(ability);
  });
});
