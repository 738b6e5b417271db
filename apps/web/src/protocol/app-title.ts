import { appName } from '@wirebench/flasher/esp';

/** Returns name and version of an app, or words for an app that has neither: `weather-node 1.3.2`. */
export function appTitle(described: { readonly project: string; readonly version: string }): string {
  return appName(described) || 'An app without a name';
}
