/** One file of several: raw, Intel HEX and UF2, with the lists that flash it. */
export { uf2FamilyId } from '../../images/formats/uf2-families.ts';
export { flasherArgs, webToolsManifest } from './lists.ts';
export { mergeHex } from './merge-hex.ts';
export { type MergePart, mergeRaw, paddingOf } from './merge-raw.ts';
export { mergeUf2 } from './merge-uf2.ts';
