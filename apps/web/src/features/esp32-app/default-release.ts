import { demoReleaseId, releasePath } from '@wirebench/contract/constants';

/** The page of the demo release, which every server has. */
export const defaultRelease = releasePath('version', demoReleaseId);

/** Whether an address is that page, on this origin or complete. */
export function isDemoRelease(address: string, origin: string): boolean {
  const { pathname, searchParams } = new URL(address, origin);
  return `${pathname}?type=version&id=${searchParams.get('id')}` === defaultRelease;
}
