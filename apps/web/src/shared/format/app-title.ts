/** Returns name and version of an app: `weather-node 1.3.2`. */
export function appName({ project, version }: { readonly project: string; readonly version: string }): string {
  return [project, version].filter((text) => text !== '').join(' ') || 'An app without a name';
}
