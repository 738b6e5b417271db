/** Words for values that a published list does not have. */

/** @param date State of the list that is shipped, `2026-02-08`. */
export const notListed = (date: string) => `not in the published list of ${date}`;
