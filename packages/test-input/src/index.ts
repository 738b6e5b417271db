export { random, randomBytes, randomNumber, randomSeeds } from './random.ts';
export { firstUnlessLong, isLong, LONG_VARIABLE, SEED_VARIABLE } from './seed.ts';
