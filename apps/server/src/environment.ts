/** The environment of the process, extended by `.env` in the working directory. */
import { loadEnvFile } from 'node:process';
import type { Environment } from './config.ts';

/** Loads the environment. Variables that are already set win over the file. The file may be missing. */
export function loadEnvironment(): Environment {
  try {
    loadEnvFile();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      throw error;
    }
  }
  return process.env;
}
