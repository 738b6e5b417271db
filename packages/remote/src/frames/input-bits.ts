/** Bits of the answer to `inputs`, from bit 0: the modem lines that a device drives. */
export const inputBits = ['clearToSend', 'dataCarrierDetect', 'dataSetReady', 'ringIndicator'] as const;
