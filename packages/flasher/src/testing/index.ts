/** Helpers for tests outside of this package: a simulated board on a virtual clock, and builders of files. */
export { buildTable, factoryLayout } from '../esp/testing/esp-data.ts';
export { buildApp, buildBootloader, chipIds } from '../esp/testing/esp-images.ts';
export {
  buildDfuse,
  buildElf,
  buildIntelHex,
  buildSRecords,
  buildUf2,
  withDfuSuffix,
} from '../images/testing/formats.ts';
export { PortRig, type RigWiring } from './port-rig.ts';
export { runOn } from './run-on.ts';
