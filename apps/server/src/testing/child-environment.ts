/**
 * Returns the environment of a program that a test starts: the paths of programs, and the compile cache, with which a
 * server starts in two thirds of the time. No settings are passed.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
