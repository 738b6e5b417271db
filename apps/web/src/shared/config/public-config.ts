/** Settings that this deployment reports to the page at run time. Requested once, and again after a failure. */
import { apiPaths, PublicConfig } from '@wirebench/contract';

let asked: Promise<PublicConfig> | null = null;

/** Rejects if the server does not answer, or if its answer is invalid. */
export function publicConfig(): Promise<PublicConfig> {
  asked ??= askConfig().catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

async function askConfig(): Promise<PublicConfig> {
  const response = await fetch(apiPaths.config);
  if (!response.ok) {
    throw new Error(`The configuration could not be loaded: HTTP ${response.status}.`);
  }
  return PublicConfig.parse(await response.json());
}
