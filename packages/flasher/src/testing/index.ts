/** Helpers for tests outside of this package: a simulated board on a virtual clock, and builders of files. */
export { makeEcdsaKey, makeRsaKey, type SigningKey, signed } from '../espressif/testing/signed-images.ts';
export { buildDfuse, buildUf2Blocks, uf2Blocks, withDfuSuffix } from '../images/testing/formats.ts';
export { PortRig, type RigWiring } from './port-rig.ts';
export { runOn } from './run-on.ts';
