/** Facts about builds of each family, one row each. Apart from the rows that small pages load. */
import type { FamilyId } from './families.ts';

interface FamilyBuilds {
  /** `e_machine` of its programs (System V ABI, "ELF Header"). Empty: no crash is decoded. */
  readonly elfMachines: readonly number[];
  /** Flash sizes that a build may require, in bytes. Empty: the chip itself tells its flash. */
  readonly flashSizes: readonly number[];
}

/** Xtensa, RISC-V and Arm. */
const machine = { xtensa: 94, riscV: 243, arm: 40 } as const;
const KIB = 1_024;
const MIB = 1_048_576;

export const familyBuilds: Readonly<Record<FamilyId, FamilyBuilds>> = {
  esp: {
    elfMachines: [machine.xtensa, machine.riscV],
    flashSizes: [1, 2, 4, 8, 16, 32, 64, 128].map((size) => size * MIB),
  },
  stm: {
    elfMachines: [machine.arm],
    flashSizes: [16, 32, 64, 128, 192, 256, 384, 512, 768, 1_024, 1_536, 2_048].map((size) => size * KIB),
  },
  nrf: {
    elfMachines: [machine.arm],
    flashSizes: [128, 192, 256, 512, 1_024].map((size) => size * KIB),
  },
  avr: {
    elfMachines: [],
    flashSizes: [],
  },
  rp: {
    elfMachines: [machine.arm, machine.riscV],
    flashSizes: [0.5, 1, 2, 4, 8, 16].map((size) => size * MIB),
  },
};
