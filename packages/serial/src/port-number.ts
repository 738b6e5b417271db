/** Ports of the bench, numbered from 1. */
export const portNumbers = [1, 2, 3, 4] as const;
export type PortNumber = (typeof portNumbers)[number];

/** A value for each port. */
export type ByPort<Value> = Readonly<Record<PortNumber, Value>>;

export const byPort = <Value>(value: (port: PortNumber) => Value): ByPort<Value> => ({
  1: value(1),
  2: value(2),
  3: value(3),
  4: value(4),
});
