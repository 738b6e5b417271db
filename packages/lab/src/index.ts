/** An Espressif chip as a bench instrument, through its boot ROM's register commands. Nothing is written to its flash. */
export {};
