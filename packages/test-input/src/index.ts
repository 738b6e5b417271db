export { random, randomBytes, randomNumber, randomSeeds } from './random.ts';
export { isLong, LONG_VARIABLE, SEED_VARIABLE } from './seed.ts';
