/** Operating system of the user, for remedies that depend on it. */
export type OperatingSystem = 'linux' | 'mac' | 'windows' | 'other';

/**
 * Returns the desktop operating system. Android counts as `other`, because remedies for a desktop do not apply there.
 */
export function operatingSystem(agent: string = navigator.userAgent): OperatingSystem {
  if (/Android|iPhone|iPad/.test(agent)) {
    return 'other';
  }
  if (/Windows/.test(agent)) {
    return 'windows';
  }
  if (/Mac OS X/.test(agent)) {
    return 'mac';
  }
  return /Linux/.test(agent) ? 'linux' : 'other';
}
