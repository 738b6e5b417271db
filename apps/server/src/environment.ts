/** The environment of the process, with what `.env` in the working directory adds to it. */
import { loadEnvFile } from 'node:process';
import type { Environment } from './config.ts';

/** Variables that are set win over the file; the file may be missing. */
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
