/** The bits of the answer to `inputs`: the lines that a device drives. */
export const inputBits = ['clearToSend', 'dataCarrierDetect', 'dataSetReady', 'ringIndicator'] as const;
