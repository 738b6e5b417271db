/** Helpers for tests outside of this package: a simulated board on a virtual clock, and builders of files. */
export { buildTable, factoryLayout } from '../espressif/testing/esp-data.ts';
export { buildApp, buildBootloader, chipIds } from '../espressif/testing/esp-images.ts';
export { buildDfuse, buildUf2Blocks, uf2Blocks, withDfuSuffix } from '../images/testing/formats.ts';
export { PortRig, type RigWiring } from './port-rig.ts';
export { runOn } from './run-on.ts';
