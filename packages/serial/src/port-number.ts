/** Ports of the bench, numbered from 1. */
export const portNumbers = [1, 2, 3, 4] as const;
export type PortNumber = (typeof portNumbers)[number];
