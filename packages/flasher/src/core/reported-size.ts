/** Sizes that a device reports, by which a client steps through an image: a page, a block, a packet. A loop with a step of 0 would never end. */

/**
 * Returns whether a client can step by a size.
 * @param size In bytes, as the device reported it. @param least Bytes that one transfer has at least.
 */
export const isUsableSize = (size: number, least: number): boolean => Number.isSafeInteger(size) && size >= least;

/** Detail of the failure `size-unusable`. @param what Name of the size in the protocol. */
export const reportedSizeText = (what: string, size: number): string => `${what}: ${size} bytes.`;
