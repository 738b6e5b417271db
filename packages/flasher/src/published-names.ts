/** Names of the rows of lists that others publish (`scripts/lists`). */
export { avrNameOf } from './avr/parts/part-names.ts';
export { chipIdName } from './esp/chips/chip-facts.ts';
export { flashMakerOf } from './esp/chips/flash-chips.ts';
export { subtypeName, typeNumber } from './esp/images/partition-types.ts';
export { uf2FamilyName } from './images/formats/uf2-families.ts';
export { softdeviceName } from './nrf/softdevices.ts';
export { stmNameOf } from './stm/parts/part-table.ts';
